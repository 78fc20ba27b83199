import { type StoringService, storingServices } from '@waymark/contracts';
import { isUnavailable, migrate, pendingMigrations } from '@waymark/service-kit/store';
import { openDatabaseOf } from '../databases.ts';
import { CommandError } from '../failures/command-error.ts';
import { schemas } from '../schemas.ts';
import type { Terminal } from '../terminal/terminal.ts';

const WAIT_MS = 1_000;

/** Migrates databases one after another, or reports pending migrations. Throws CommandError. */
export async function migrateDatabases(
  names: string[],
  options: { check?: boolean; wait?: boolean; isRestoring?: boolean },
  { env, out }: Terminal,
): Promise<void> {
  const chosen = names.length > 0 ? names.map(storingService) : storingServices;
  let pendingCount = 0;
  for (const service of chosen) {
    const database = openDatabaseOf(service, env);
    try {
      await database.ready;
      const pending = async () => {
        // The driver does not reconnect by itself after a failed first connection.
        await database.client.connect();
        return pendingMigrations(database.db, schemas[service]);
      };
      if (options.check || options.wait) {
        const left = options.wait
          ? await untilNone(pending, (why) => out(`${service}: waiting: ${why}`))
          : await pending();
        for (const part of left) out(`${service}: pending: ${part}`);
        pendingCount += left.length;
      } else {
        const done = await migrate(database.db, schemas[service], {
          isRestoring: options.isRestoring ?? false,
          onApplied: (part) => out(`${service}: ${part}`),
          onWait: () => out(`${service}: waiting for another migration to finish`),
        });
        out(`${service}: ${done.length === 0 ? 'nothing to do' : `${done.length} done`}`);
      }
    } finally {
      await database.close();
    }
  }
  if (pendingCount > 0) throw new CommandError(`${pendingCount} migrations are pending: run waymark migrate`);
}

/** Waits also for MongoDB itself. Reports the reason of the wait whenever it changes. */
async function untilNone(pending: () => Promise<string[]>, onWait: (why: string) => void): Promise<string[]> {
  let reported: string | undefined;
  for (;;) {
    let why: string;
    try {
      const left = await pending();
      if (left.length === 0) return left;
      why = `${left.length} migrations are pending, first ${left[0]}`;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // The driver's message names the hosts only; the URL also contains the password.
      why = `MongoDB is unavailable: ${(error as Error).message}`;
    }
    if (why !== reported) onWait(why);
    reported = why;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

function storingService(name: string): StoringService {
  if (name in schemas) return name as StoringService;
  throw new CommandError(`there is no service ${name}; the services are ${storingServices.join(', ')}`);
}

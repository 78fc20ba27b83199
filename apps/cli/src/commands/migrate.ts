import { type StoringService, storingServices } from '@waymark/contracts';
import { isUnavailable, migrate, pendingMigrations } from '@waymark/service-kit/store';
import { openDatabaseOf } from '../databases.ts';
import { CommandError } from '../run-program.ts';
import { schemas } from '../schemas.ts';
import type { Terminal } from '../terminal.ts';

const WAIT_MS = 1_000;

/** Migrates databases one after another, or tells what is pending. Throws CommandError. */
export async function migrateDatabases(
  names: string[],
  options: { check?: boolean; wait?: boolean },
  { env, out }: Terminal,
): Promise<void> {
  const chosen = names.length > 0 ? names.map(storingService) : storingServices;
  let pendingCount = 0;
  for (const service of chosen) {
    const database = openDatabaseOf(service, env);
    try {
      await database.ready;
      const pending = async () => {
        // By itself the driver connects only once: after a failure its topology stays closed.
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
          onApplied: (part) => out(`${service}: ${part}`),
          onWait: () => out(`${service}: another runner is at work; waiting`),
        });
        out(`${service}: ${done.length === 0 ? 'nothing to do' : `${done.length} done`}`);
      }
    } finally {
      await database.close();
    }
  }
  if (pendingCount > 0) throw new CommandError(`${pendingCount} migrations are pending: run waymark migrate`);
}

/** Also while MongoDB itself is still to come up. Says what it waits for, and again when that is something else. */
async function untilNone(pending: () => Promise<string[]>, onWait: (why: string) => void): Promise<string[]> {
  let said: string | undefined;
  for (;;) {
    let why: string;
    try {
      const left = await pending();
      if (left.length === 0) return left;
      why = `${left.length} migrations are pending, ${left[0]} the first`;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Of the driver's error the message: it names hosts, where the URL has a password as well.
      why = `MongoDB is away: ${(error as Error).message}`;
    }
    if (why !== said) onWait(why);
    said = why;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

function storingService(name: string): StoringService {
  if (name in schemas) return name as StoringService;
  throw new CommandError(`there is no service ${name}; they are ${storingServices.join(', ')}`);
}

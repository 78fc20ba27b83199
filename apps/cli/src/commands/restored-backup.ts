import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type BackupSources, type Manifest, openPlace, type RestoreOptions, restore } from '@waymark/backup';
import { type StoringService, storingServices } from '@waymark/contracts';
import { type Database, isUnavailable } from '@waymark/service-kit/store';
import { closing, environmentOf, openDatabaseOf } from '../databases.ts';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { migrateDatabases } from './migrate.ts';

type Environment = Terminal['env'];

/** The databases of a verification, whose names begin with its time in hexadecimal seconds. */
const TEMPORARY = /^waymark_verify_([0-9a-f]{8})[0-9a-f]{4}_[a-z]+$/;
/** A verification that was killed leaves its databases to the next one after this time. */
const ABANDONED_MS = 86_400_000;

/** The databases of these services, as a backup names them. */
export function databases(env: Environment, of: readonly StoringService[] = storingServices): BackupSources {
  const entries = of.map((service) => {
    const { MONGODB_URL: url, MONGODB_DATABASE: database } = environmentOf(service, env);
    if (!url || !database) throw new CommandError('MONGODB_URL is missing');
    return [service, { url, database }] as const;
  });
  return Object.fromEntries(entries);
}

/** Reports an error that the operator can fix, such as a database that is not empty, in one line. */
export function throwCommandError(error: Error): never {
  if (isUnavailable(error)) throw error;
  throw new CommandError(error.message);
}

/** Whatever its schema: a backup is also taken before an upgrade. */
export const inDatabase = <T>(
  service: StoringService,
  env: Environment,
  work: (database: Database) => Promise<T>,
): Promise<T> => closing(openDatabaseOf(service, env), work);

/** The words of a list in a variable. */
export const listOf = (text: string | undefined) => (text ?? '').split(/[\s,]+/).filter(Boolean);

export interface Identity {
  /** The path of a file with age identities. */
  identity?: string;
}

/** The part of a series to restore. */
export interface Restored extends Identity {
  /** A whole second: the state of this moment instead of the newest backup. */
  until?: Date;
}

/** The lines of an age identity file that are not comments, and whether a backup in the clear is refused. */
async function keysOf(name: string, { identity }: Identity, env: Environment) {
  const text =
    identity === undefined
      ? env['BACKUP_IDENTITY']
      : await readFile(identity, 'utf8').catch(throwCommandError);
  const identities = listOf(text?.replace(/^#.*$/gm, ''));
  // The tools pod has the identity of the bucket; a folder of its own need not be encrypted.
  const mustBeEncrypted = identity !== undefined || (identities.length > 0 && name.startsWith('s3://'));
  return { identities, mustBeEncrypted };
}

/** Restores into the empty databases of `sources`. Returns the manifest. */
export async function restoreInto(
  sources: BackupSources,
  name: string,
  options: Restored,
  terminal: Terminal,
  use?: RestoreOptions['use'],
): Promise<Manifest> {
  const { env, out } = terminal;
  const keys = await keysOf(name, options, env);
  const place = await openPlace(name, env).catch(throwCommandError);
  const untilMs = options.until?.getTime();
  const restoring = { ...keys, untilMs, onLine: out, ...(use && { use }) };
  return restore(place, sources, restoring).catch(throwCommandError);
}

/**
 * Restores the databases of these services from a backup under temporary names and migrates them, for `work`,
 * which gets an environment with these names. Removes them afterwards.
 */
export async function withRestored<T>(
  name: string,
  { of, ...options }: Restored & { of?: readonly StoringService[] },
  terminal: Terminal,
  work: (env: Environment, manifest: Manifest) => Promise<T>,
): Promise<T> {
  const { env } = terminal;
  const seconds = Math.floor(Date.now() / 1_000);
  const prefix = `waymark_verify_${seconds.toString(16)}${randomBytes(2).toString('hex')}`;
  const own = storingServices.map((service) => [
    `${service.toUpperCase()}_MONGODB_DATABASE`,
    `${prefix}_${service}`,
  ]);
  const temporary = { ...env, ...Object.fromEntries(own) };
  await dropAbandoned(env);
  try {
    const manifest = await restoreInto(databases(temporary, of), name, options, terminal);
    await migrateDatabases([...(of ?? [])], {}, { ...terminal, env: temporary, out: () => undefined });
    return await work(temporary, manifest);
  } finally {
    const drop = (service: StoringService) => inDatabase(service, temporary, ({ db }) => db.dropDatabase());
    const dropped = await Promise.allSettled(storingServices.map(drop));
    if (dropped.some(({ status }) => status === 'rejected'))
      terminal.error(
        `the databases ${prefix}_* could not be removed: drop them, they hold a copy of the data`,
      );
  }
}

/** Drops the databases of verifications that were killed, as far as the user of each database may. */
async function dropAbandoned(env: Environment): Promise<void> {
  for (const service of storingServices) {
    await inDatabase(service, env, async ({ client }) => {
      const { databases: found } = await client.db().admin().listDatabases({ nameOnly: true });
      for (const { name } of found) {
        const [, seconds] = TEMPORARY.exec(name) ?? [];
        const isAbandoned = seconds && Date.now() - Number.parseInt(seconds, 16) * 1_000 > ABANDONED_MS;
        if (isAbandoned && name.endsWith(`_${service}`)) await client.db(name).dropDatabase();
      }
    }).catch(() => undefined);
  }
}

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { verifyChains } from '@waymark/audit/operator';
import { type StoringService, storingServices } from '@waymark/contracts';
import {
  type BackupSources,
  backUp,
  nameInSeries,
  openPlace,
  restore,
  thinOut,
  timeOfBackup,
} from '@waymark/data-transfer';
import { type Database, isUnavailable } from '@waymark/service-kit/store';
import { recordBackup } from '@waymark/transfer/operator';
import { environmentOf, openDatabaseOf } from '../databases.ts';
import { CommandError } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import { migrateDatabases } from './migrate.ts';

type Environment = Terminal['env'];

const DATABASE_NAME_BYTES = 63;

function databases(env: Environment): BackupSources {
  const entries = storingServices.map((service) => {
    const { MONGODB_URL: url, MONGODB_DATABASE: database } = environmentOf(service, env);
    if (!url || !database) throw new CommandError('MONGODB_URL is missing');
    return [service, { url, database }] as const;
  });
  return Object.fromEntries(entries);
}

/** Reports an error that the operator can fix, such as a database that is not empty, in one line. */
function throwCommandError(error: Error): never {
  if (isUnavailable(error)) throw error;
  throw new CommandError(error.message);
}

/** Whatever its schema: a backup is also taken before an upgrade. */
async function inDatabase<T>(
  service: StoringService,
  env: Environment,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabaseOf(service, env);
  return work(database).finally(database.close);
}

const listOf = (text: string | undefined) => (text ?? '').split(/[\s,]+/).filter(Boolean);

/** The lines of an age identity file that are not comments. */
async function identitiesOf({ identity }: { identity?: string }, env: Environment): Promise<string[]> {
  if (identity === undefined) return listOf(env['BACKUP_IDENTITY']);
  const text = await readFile(identity, 'utf8').catch(throwCommandError);
  return listOf(text.replace(/^#.*$/gm, ''));
}

/** Writes a backup to an empty place or, with `keep`, into a series, and then removes the oldest of that. */
export async function backUpDatabases(
  name: string,
  options: { recipient?: string[]; keep?: number },
  terminal: Terminal,
): Promise<void> {
  const { env, out } = terminal;
  const recipients = options.recipient ?? listOf(env['BACKUP_RECIPIENTS']);
  const sources = databases(env);
  try {
    const series = await openPlace(name, env);
    const place = options.keep === undefined ? series : series.at(nameInSeries(Date.now()));
    const manifest = await backUp(sources, place, { recipients, onLine: out });
    await inDatabase('transfer', env, (db) => recordBackup(db, 'taken', timeOfBackup(manifest)));
    out(`${place.name} is a complete backup`);
    if (options.keep === undefined) return;
    for (const old of await thinOut(series, options.keep, Date.now())) out(`${old} is removed`);
  } catch (error) {
    throwCommandError(error as Error);
  }
}

/** Restores into empty databases, then migrates them, because a backup has no indexes. */
export async function restoreDatabases(
  name: string,
  options: { identity?: string },
  terminal: Terminal,
): Promise<void> {
  const { env, out } = terminal;
  const identities = await identitiesOf(options, env);
  const restoring = openPlace(name, env).then((place) =>
    restore(place, databases(env), { identities, onLine: out }),
  );
  await restoring.catch(throwCommandError);
  await migrateDatabases([], {}, terminal);
}

/**
 * Restores a backup into temporary databases, migrates them, and verifies every audit chain; the counts were
 * compared by the restoration. Removes these databases. Throws CommandError when the backup is of no use.
 */
export async function verifyBackup(
  name: string,
  options: { identity?: string },
  terminal: Terminal,
): Promise<void> {
  const { env, out } = terminal;
  const identities = await identitiesOf(options, env);
  const suffix = `_verify_${randomBytes(4).toString('hex')}`;
  const own = Object.entries(databases(env)).map(([service, { database }]) => {
    const temporary = database.slice(0, DATABASE_NAME_BYTES - suffix.length) + suffix;
    return [`${service.toUpperCase()}_MONGODB_DATABASE`, temporary] as const;
  });
  const temporary = { ...terminal, env: { ...env, ...Object.fromEntries(own) } };
  try {
    const place = await openPlace(name, env).catch(throwCommandError);
    const restoring = restore(place, databases(temporary.env), { identities, onLine: out });
    const manifest = await restoring.catch(throwCommandError);
    await migrateDatabases([], {}, { ...temporary, out: () => undefined });
    const found = await inDatabase('audit', temporary.env, (db) => verifyChains(db, env));
    for (const { chain, reason } of found.faults) terminal.error(`audit: the chain ${chain}: ${reason}`);
    if (found.faults.length > 0) throw new CommandError(`damaged chains: ${found.faults.length}`);
    await inDatabase('transfer', env, (db) => recordBackup(db, 'verified', timeOfBackup(manifest)));
    out(
      `the backup of ${timeOfBackup(manifest)} can be restored: ${found.chains} audit chains with ${found.entries} entries verify`,
    );
  } finally {
    for (const service of storingServices)
      await inDatabase(service, temporary.env, ({ db }) => db.dropDatabase());
  }
}

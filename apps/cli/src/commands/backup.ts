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

/** The databases of a verification, whose names begin with its time in hexadecimal seconds. */
const TEMPORARY = /^waymark_verify_([0-9a-f]{8})[0-9a-f]{4}_[a-z]+$/;
/** A verification that was killed leaves its databases to the next one after this time. */
const ABANDONED_MS = 86_400_000;

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

/** The lines of an age identity file that are not comments, and whether a backup in the clear is refused. */
async function keysOf(name: string, { identity }: { identity?: string }, env: Environment) {
  const text =
    identity === undefined
      ? env['BACKUP_IDENTITY']
      : await readFile(identity, 'utf8').catch(throwCommandError);
  const identities = listOf(text?.replace(/^#.*$/gm, ''));
  // The tools pod has the identity of the bucket; a folder of its own need not be encrypted.
  const mustBeEncrypted = identity !== undefined || (identities.length > 0 && name.startsWith('s3://'));
  return { identities, mustBeEncrypted };
}

/**
 * Writes a backup to an empty place or, with `keep`, into a series. Then verifies it if asked for, and then
 * removes the oldest of the series: a backup that is of no use replaces none.
 */
export async function backUpDatabases(
  name: string,
  options: { recipient?: string[]; keep?: number; verify?: boolean; identity?: string },
  terminal: Terminal,
): Promise<void> {
  const { env, out } = terminal;
  const { recipient, keep, verify } = options;
  const recipients = recipient ?? listOf(env['BACKUP_RECIPIENTS']);
  const sources = databases(env);
  const own = nameInSeries(Date.now());
  const series = await openPlace(name, env).catch(throwCommandError);
  const place = keep === undefined ? series : series.at(own);
  const manifest = await backUp(sources, place, { recipients, onLine: out }).catch(throwCommandError);
  await inDatabase('transfer', env, (db) => recordBackup(db, 'taken', timeOfBackup(manifest)));
  out(`${place.name} is a complete backup`);
  if (verify) await verifyBackup(place.name, options, terminal);
  if (keep === undefined) return;
  const removed = await thinOut(series, { own, keep, nowMs: Date.now() }).catch(throwCommandError);
  for (const old of removed) out(`${old} is removed`);
}

/** Restores into empty databases, then migrates them, because a backup has no indexes. */
export async function restoreDatabases(
  name: string,
  options: { identity?: string },
  terminal: Terminal,
): Promise<void> {
  const { env, out } = terminal;
  const keys = await keysOf(name, options, env);
  const restoring = openPlace(name, env).then((place) =>
    restore(place, databases(env), { ...keys, onLine: out }),
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
  const keys = await keysOf(name, options, env);
  const seconds = Math.floor(Date.now() / 1_000);
  const prefix = `waymark_verify_${seconds.toString(16)}${randomBytes(2).toString('hex')}`;
  const own = storingServices.map((service) => [
    `${service.toUpperCase()}_MONGODB_DATABASE`,
    `${prefix}_${service}`,
  ]);
  const temporary = { ...terminal, env: { ...env, ...Object.fromEntries(own) } };
  await dropAbandoned(env);
  try {
    const place = await openPlace(name, env).catch(throwCommandError);
    const restoring = restore(place, databases(temporary.env), { ...keys, onLine: out });
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
    const drop = (service: StoringService) =>
      inDatabase(service, temporary.env, ({ db }) => db.dropDatabase());
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

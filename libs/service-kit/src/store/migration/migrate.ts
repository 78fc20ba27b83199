import type { Db } from 'mongodb';
import { StartupError } from '../../process/environment.ts';
import { runnerLock } from './runner-lock.ts';
import { type MigrationUnit, migrationUnits, type Schema } from './schema.ts';
import { assertRestored } from './unfinished-restore.ts';

/** Thrown when the database lacks parts of the schema that this version of a service needs. */
export class PendingMigrationsError extends StartupError {
  readonly pending: string[];

  constructor(schema: Schema, pending: string[]) {
    const others = pending.length > 1 ? ` and ${pending.length - 1} more` : '';
    super(
      `${schema.service}: a migration is pending (${pending[0]}${others}). ` +
        'Run "npm run migrate", or "waymark migrate" in the image, and start again; MIGRATE_ON_START=true does it by itself.',
    );
    this.pending = pending;
  }
}

export interface MigrateOptions {
  onApplied?: (part: string) => void;
  /** Called when this runner has to wait for another one. */
  onWait?: () => void;
  /** How long a killed runner blocks the others. */
  leaseMs?: number;
  /** Migrates a database although its restore has not finished: the restore itself does so. */
  isRestoring?: boolean;
  /** Called after a unit is applied and before it is recorded, the worst moment for a crash. */
  checkpoint?: (point: 'applied') => void;
}

export const MIGRATIONS = 'schema_migrations';

const appliedIn = (db: Db) => db.collection<{ _id: string; applied_at: Date }>(MIGRATIONS);

/** Returns the parts of a schema that the database lacks, in order. Throws UnfinishedRestoreError. */
export async function pendingMigrations(db: Db, schema: Schema): Promise<string[]> {
  await assertRestored(db);
  const units = await pendingUnits(db, migrationUnits(schema, await isSharded(db)));
  return units.flatMap(({ parts }) => parts);
}

/**
 * Throws PendingMigrationsError if parts are missing, and UnfinishedRestoreError. Unknown parts belong to a
 * newer version.
 */
export async function assertMigrated(db: Db, schema: Schema): Promise<void> {
  const pending = await pendingMigrations(db, schema);
  if (pending.length > 0) throw new PendingMigrationsError(schema, pending);
}

/**
 * Migrates a database and returns the applied parts. If a runner is killed, the next one continues. Throws
 * UnfinishedRestoreError.
 */
export async function migrate(db: Db, schema: Schema, options: MigrateOptions = {}): Promise<string[]> {
  if (!options.isRestoring) await assertRestored(db);
  const all = migrationUnits(schema, await isSharded(db));
  if ((await pendingUnits(db, all)).length === 0) return [];
  const { onApplied } = options;
  const lock = runnerLock(db, 'lock', options);
  const done: string[] = [];
  await lock.acquire();
  try {
    // Read again: another runner may have applied some units while this one waited.
    for (const { parts, apply } of await pendingUnits(db, all)) {
      await lock.assertHeld();
      await apply(db);
      options.checkpoint?.('applied');
      const update = { $setOnInsert: { applied_at: new Date() } };
      const records = parts.map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } }));
      await appliedIn(db).bulkWrite(records, { ordered: false });
      for (const part of parts) onApplied?.(part);
      done.push(...parts);
    }
  } finally {
    // If MongoDB is unreachable, the lock expires with its lease.
    await lock.release().catch(() => undefined);
  }
  return done;
}

async function pendingUnits(db: Db, units: MigrationUnit[]): Promise<MigrationUnit[]> {
  const known = new Set((await appliedIn(db).find().toArray()).map(({ _id }) => _id));
  return units
    .map((unit) => ({ ...unit, parts: unit.parts.filter((part) => !known.has(part)) }))
    .filter(({ parts }) => parts.length > 0);
}

async function isSharded(db: Db): Promise<boolean> {
  return (await db.admin().command({ hello: 1 }))['msg'] === 'isdbgrid';
}

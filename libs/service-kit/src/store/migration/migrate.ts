import type { Collection, Db } from 'mongodb';
import { StartupError } from '../../process/startup-error.ts';
import { migrationLock } from './migration-lock.ts';
import { type MigrationUnit, migrationUnits, type Schema } from './schema.ts';

/** A database is not what this version of a service needs. */
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
  /** Called for every part that was done, by its name. */
  onApplied?: (part: string) => void;
  /** Called when another runner is at work: this one waits. */
  onWait?: () => void;
  /** How long a killed runner holds others up. */
  leaseMs?: number;
  /** After a unit is done and before it is noted as done: where a crash would hurt most. */
  checkpoint?: (point: 'applied') => void;
}

export const MIGRATIONS = 'schema_migrations';
export const LOCK = 'schema_lock';
const LEASE_MS = 15_000;

type Applied = Collection<{ _id: string; applied_at: Date }>;

/** The parts of a schema that its database lacks, in their order. */
export async function pendingMigrations(db: Db, schema: Schema): Promise<string[]> {
  const units = await pendingUnits(db, migrationUnits(schema, await isSharded(db)));
  return units.flatMap(({ parts }) => parts);
}

/** Throws PendingMigrationsError. What the database has beyond the schema is a newer version's, and left alone. */
export async function assertMigrated(db: Db, schema: Schema): Promise<void> {
  const pending = await pendingMigrations(db, schema);
  if (pending.length > 0) throw new PendingMigrationsError(schema, pending);
}

/**
 * Brings a database to its schema and returns the parts that were done. Several runners take turns; one that was killed
 * is made up for by the next. Readers and writers go on meanwhile.
 */
export async function migrate(db: Db, schema: Schema, options: MigrateOptions = {}): Promise<string[]> {
  const all = migrationUnits(schema, await isSharded(db));
  if ((await pendingUnits(db, all)).length === 0) return [];
  const { onApplied, onWait = () => undefined, leaseMs = LEASE_MS } = options;
  const lock = migrationLock(db, { collection: LOCK, leaseMs, onWait });
  const done: string[] = [];
  await lock.acquire();
  try {
    const applied: Applied = db.collection(MIGRATIONS);
    // Asked again: while this one waited, the runner before did its part.
    for (const { parts, apply } of await pendingUnits(db, all)) {
      await lock.assertHeld();
      await apply(db);
      options.checkpoint?.('applied');
      const notes = parts.map((part) => ({
        updateOne: {
          filter: { _id: part },
          update: { $setOnInsert: { applied_at: new Date() } },
          upsert: true,
        },
      }));
      await applied.bulkWrite(notes, { ordered: false });
      for (const part of parts) onApplied?.(part);
      done.push(...parts);
    }
  } finally {
    // Unreachable, it is free when its lease ends.
    await lock.release().catch(() => undefined);
  }
  return done;
}

/** Each unit with those of its parts that are not noted as done; those with none left out. */
async function pendingUnits(db: Db, units: MigrationUnit[]): Promise<MigrationUnit[]> {
  const applied: Applied = db.collection(MIGRATIONS);
  const known = new Set((await applied.find().toArray()).map(({ _id }) => _id));
  return units
    .map((unit) => ({ ...unit, parts: unit.parts.filter((part) => !known.has(part)) }))
    .filter(({ parts }) => parts.length > 0);
}

async function isSharded(db: Db): Promise<boolean> {
  return (await db.admin().command({ hello: 1 }))['msg'] === 'isdbgrid';
}

import type { ServiceName } from '@waymark/contracts';
import type { Db, IndexDescription, IndexDirection } from 'mongodb';
import { positionIndexes } from '../consumer-position.ts';
import type { Indexes } from '../database.ts';
import { idempotencyIndexes } from '../idempotency-records.ts';
import { outboxIndexes } from '../outbox/outbox-row.ts';

/** A change of stored data that indexes do not express. */
export interface MigrationStep {
  /** Sorts in the order of the steps, for example `0001-split-names`. Never renamed, never reused. */
  id: string;
  /** Runs while older services run. It may be killed at any point and then runs again from its start. */
  up(db: Db): Promise<void>;
}

/** A service's collections, indexes and migration steps, which `npm run migrate` applies. */
export interface Schema {
  service: ServiceName;
  indexes: Indexes;
  /** The shard key of each collection on a sharded cluster. Others stay on the primary shard. */
  shardedBy?: Readonly<Record<string, string>>;
  /** The collections that are removed with a workspace, in this order, and the field that has its id. */
  owned?: Readonly<Record<string, string>>;
  /** The steps in order. New steps are appended, and none is removed. */
  steps?: readonly MigrationStep[];
}

/** A unit is applied as a whole and recorded afterwards. Repeating it changes nothing. */
export interface MigrationUnit {
  /** The names that the database records. A service starts once the database has all names that it knows. */
  parts: string[];
  apply(db: Db): Promise<void>;
}

const HASHED = 'hashed';

/** The collections of every service. Idempotency keys must be unique across all workspaces. */
const commonIndexes: Indexes = { ...idempotencyIndexes, ...outboxIndexes, ...positionIndexes };
const commonShardedBy = { outbox: 'workspace_id', idempotency: HASHED };

/** Returns shard keys by collection; empty for a service that is not sharded. */
export function shardKeys({ shardedBy }: Schema): Record<string, Record<string, IndexDirection>> {
  if (!shardedBy) return {};
  const fields = Object.entries({ ...commonShardedBy, ...shardedBy });
  return Object.fromEntries(
    fields.map(([name, field]) => [name, field === HASHED ? { _id: HASHED } : { [field]: 1 }]),
  );
}

/** Returns all indexes of a service by collection: those of every service, then its own. */
export function indexesOf({ indexes }: Schema): Indexes {
  const both = Object.entries(indexes).map(([name, own]) => [name, [...(commonIndexes[name] ?? []), ...own]]);
  return { ...commonIndexes, ...Object.fromEntries(both) };
}

/** Returns the units of a schema in the order of their application. */
export function migrationUnits(schema: Schema, isSharded: boolean): MigrationUnit[] {
  const sharding = isSharded
    ? Object.entries(shardKeys(schema)).map(([name, key]) => shardingUnit(name, key))
    : [];
  const steps = (schema.steps ?? []).map(({ id, up }) => ({ parts: [`step ${id}`], apply: up }));
  return [collectionsUnit(indexesOf(schema)), ...sharding, ...steps];
}

function collectionsUnit(indexes: Indexes): MigrationUnit {
  const entries = Object.entries(indexes);
  return {
    parts: entries.flatMap(([name, list]) => [
      `collection ${name}`,
      ...list.map((index) => `index ${name} ${JSON.stringify(index)}`),
    ]),
    async apply(db) {
      const found = await db.listCollections({}, { nameOnly: true }).toArray();
      const existing = new Set(found.map(({ name }) => name));
      async function make([name, list]: [string, IndexDescription[]]) {
        if (!existing.has(name)) await db.createCollection(name).catch(ignoreExisting);
        // Hybrid builds (MongoDB 4.4) block reads and writes only for a moment at their start and end.
        if (list.length > 0) await db.collection(name).createIndexes(list);
      }
      const isNew = entries.every(([name]) => !existing.has(name));
      // Collections with data get one index at a time: a build takes memory and disk from running services.
      if (isNew) await Promise.all(entries.map(make));
      else for (const entry of entries) await make(entry);
    },
  };
}

function shardingUnit(name: string, key: Record<string, IndexDirection>): MigrationUnit {
  return {
    parts: [`shards ${name} ${JSON.stringify(key)}`],
    async apply(db) {
      await db.collection(name).createIndex(key);
      await db.admin().command({ shardCollection: `${db.databaseName}.${name}`, key });
    },
  };
}

function ignoreExisting(error: unknown): void {
  if ((error as { codeName?: string }).codeName !== 'NamespaceExists') throw error;
}

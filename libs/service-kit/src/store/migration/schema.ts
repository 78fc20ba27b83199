import type { ServiceName } from '@waymark/contracts';
import type { Db, IndexDescription, IndexDirection } from 'mongodb';

import type { Indexes } from '../database.ts';
import { idempotencyIndexes } from '../idempotency-records.ts';
import { outboxIndexes } from '../outbox/outbox-row.ts';

/** A change of stored data that indexes do not express. */
export interface MigrationStep {
  /** Sorts in the order of the steps: `0001-split-names`. Never renamed, never reused. */
  id: string;
  /** Runs beside services that know nothing of it yet, may be killed anywhere, and is then run again from its start. */
  up(db: Db): Promise<void>;
}

/** What `npm run migrate` makes of a service's database. */
export interface Schema {
  service: ServiceName;
  indexes: Indexes;
  /** On a sharded cluster, the field that spreads each collection; the others stay whole, on the database's own shard. */
  shardedBy?: Readonly<Record<string, string>>;
  /** In their order; added at the end, and kept. */
  steps?: readonly MigrationStep[];
}

/** What is done at once and noted as done afterwards. Repeating it changes nothing. */
export interface MigrationUnit {
  /** Their names, as the database keeps them: a service starts once it finds all that it knows. */
  parts: string[];
  apply(db: Db): Promise<void>;
}

const HASHED = 'hashed';

/** Every service's own collections, beside those of its schema. An idempotency key must be unique over all workspaces. */
const commonIndexes: Indexes = { ...idempotencyIndexes, ...outboxIndexes };
const commonShardedBy = { outbox: 'workspace_id', idempotency: HASHED };

/** By collection, how it is spread over shards; empty for a service that is not. */
export function shardKeys({ shardedBy }: Schema): Record<string, Record<string, IndexDirection>> {
  if (!shardedBy) return {};
  const fields = Object.entries({ ...commonShardedBy, ...shardedBy });
  return Object.fromEntries(
    fields.map(([name, field]) => [name, field === HASHED ? { _id: HASHED } : { [field]: 1 }]),
  );
}

/** All indexes of a service, by collection; its own behind those that each service has. */
export function indexesOf({ indexes }: Schema): Indexes {
  const both = Object.entries(indexes).map(([name, own]) => [name, [...(commonIndexes[name] ?? []), ...own]]);
  return { ...commonIndexes, ...Object.fromEntries(both) };
}

/** What a schema asks for, in the order in which it is done. */
export function migrationUnits(schema: Schema, isSharded: boolean): MigrationUnit[] {
  const sharding = isSharded
    ? Object.entries(shardKeys(schema)).map(([name, key]) => shardingUnit(name, key))
    : [];
  const steps = (schema.steps ?? []).map(({ id, up }) => ({ parts: [`step ${id}`], apply: up }));
  return [collectionsUnit(indexesOf(schema)), ...sharding, ...steps];
}

function collectionsUnit(indexes: Indexes): MigrationUnit {
  const entries = Object.entries(indexes);
  const partsOf = ([name, list]: [string, IndexDescription[]]) => [
    `collection ${name}`,
    ...list.map((index) => `index ${name} ${JSON.stringify(index)}`),
  ];
  return {
    parts: entries.flatMap(partsOf),
    async apply(db) {
      const found = await db.listCollections({}, { nameOnly: true }).toArray();
      const existing = new Set(found.map(({ name }) => name));
      async function make([name, list]: [string, IndexDescription[]]) {
        if (!existing.has(name)) await db.createCollection(name).catch(ignoreExisting);
        // A hybrid build: from MongoDB 4.4 on, reads and writes go on but for a moment at its start and at its end.
        if (list.length > 0) await db.collection(name).createIndexes(list);
      }
      const isNew = entries.every(([name]) => !existing.has(name));
      // One build at a time where there may be data: each takes memory and disk from those who use the database.
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

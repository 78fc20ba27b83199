import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { MongoClient } from 'mongodb';
import { growChains } from './seed-audit.ts';
import {
  type Batch,
  batchesOf,
  FIRST_REVISION,
  type Models,
  models,
  type Row,
  workspaceBatch,
} from './seed-bulk.ts';

/** The size of an installation. The measured workspace has half of all records; the others share the rest. */
export interface Size {
  workspaces: number;
  decisions: number;
}

export interface SeedOptions extends Size {
  mongo: MongoClient;
  /** The measured workspace. */
  workspaceId: string;
  signingKeys: string;
}

/**
 * Fills an installation up to a size, directly in MongoDB, with copies of records that the API created in
 * the measured workspace. It can be interrupted and continued.
 */
export async function seedScale(options: SeedOptions): Promise<void> {
  const { mongo, workspaceId, workspaces, decisions, signingKeys } = options;
  const from = await modelsIn(mongo, workspaceId);
  await grow(mongo, workspaceBatch(workspaces), () => newId(), from);
  const others = await othersThan(mongo, workspaceId);
  const workspaceOf = (i: number) => (i % 2 === 0 ? workspaceId : others[Math.floor(i / 2) % others.length]!);
  for (const batch of batchesOf(decisions)) await grow(mongo, batch, workspaceOf, from);
  const ofOther = Math.floor(decisions / 2 / others.length);
  const chains = others.map((chain) => ({ chain, entries: ofOther }));
  await growChains(mongo, [{ chain: workspaceId, entries: decisions / 2 }, ...chains], signingKeys);
  await tellSearch(mongo, [workspaceId, ...others], FIRST_REVISION + decisions);
}

/** Returns the named collection. The services' databases have a prefix. */
function collectionOf(mongo: MongoClient, where: string) {
  const [database, name] = where.split('.');
  return mongo.db(`waymark_${database}`).collection<Row>(name!);
}

/** Returns one record of each kind that the API created, after its events have been handled. */
async function modelsIn(mongo: MongoClient, workspaceId: string): Promise<Models> {
  const found = Object.entries(models).map(async ([name, [where, which]]) => {
    const owner = { [name === 'workspace' ? '_id' : 'workspace_id']: workspaceId };
    const row = await eventually(
      async () => (await collectionOf(mongo, where).findOne({ ...owner, ...which })) ?? false,
    );
    return [name, row] as const;
  });
  return Object.fromEntries(await Promise.all(found)) as Models;
}

async function othersThan(mongo: MongoClient, workspaceId: string): Promise<string[]> {
  const others = collectionOf(mongo, 'accounts.workspaces').find({ _id: { $ne: workspaceId } });
  return (await others.project<{ _id: string }>({ _id: 1 }).toArray()).map(({ _id }) => _id);
}

async function grow(
  mongo: MongoClient,
  { counted, wanted, atOnce, make }: Batch,
  workspaceOf: (i: number) => string,
  from: Models,
): Promise<void> {
  const have = await collectionOf(mongo, counted).estimatedDocumentCount();
  for (let made = have; made < wanted; made += atOnce) {
    const length = Math.min(atOnce, wanted - made);
    const portion = Array.from({ length }, (_, i) => make(made + i, workspaceOf(made + i), from));
    for (const where of Object.keys(portion[0]!)) {
      const rows = portion.flatMap((of) => of[where]!);
      const options = { ordered: false, writeConcern: { w: 1 } };
      if (rows.length > 0) await collectionOf(mongo, where).insertMany(rows, options);
    }
  }
}

/** Sets the revisions of the workspaces' projections; never lowers one. */
async function tellSearch(mongo: MongoClient, workspaceIds: string[], revision: number): Promise<void> {
  const writes = workspaceIds.map((_id) => {
    const update = { $max: { revision }, $setOnInsert: { epoch: newId(), batches: 0 } };
    return { updateOne: { filter: { _id }, update, upsert: true } };
  });
  await collectionOf(mongo, 'search.workspaces').bulkWrite(writes, { ordered: false });
}

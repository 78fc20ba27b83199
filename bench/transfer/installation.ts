import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@waymark/contracts';
import { type Document, MongoClient } from 'mongodb';
import { callApi } from '../../dev/api.ts';
import { type NewWorkspace, newWorkspace } from '../../dev/new-workspace.ts';
import { startTemporaryProduct, type TemporaryProduct } from '../../dev/temporary-product.ts';
import { newDecision } from '../support/new-decision.ts';

const BATCH = 10_000;

/** The services that export and import need. */
export interface TransferStand {
  /** The number of decisions. */
  full: NewWorkspace;
  /** The size of one decision. */
  small: NewWorkspace;
  /** Whether this run filled the stores. */
  isFresh: boolean;
  product: TemporaryProduct;
  mongo: MongoClient;
  stop(): Promise<void>;
}

/** With a given directory, later runs find the data again. */
export async function startTransferStand(decisions: number, directory?: string): Promise<TransferStand> {
  if (directory) await mkdir(directory, { recursive: true });
  const product = await startTemporaryProduct({
    only: ['accounts', 'decisions', 'workflows', 'threads', 'transfer'],
    env: { LIMIT_SCALE: '1000000' },
    ...(directory && { directory }),
  });
  const mongo = new MongoClient(product.stores.mongoUrl);
  const filled = join(product.directory, `filled-${decisions}.json`);
  const { baseUrl } = product.services;
  const isFresh = !existsSync(filled);
  if (isFresh) {
    const full = await newWorkspace(baseUrl, `full-${decisions}`);
    const small = await newWorkspace(baseUrl, `small-${decisions}`);
    await fillWorkspace(baseUrl, mongo, small, 1);
    await fillWorkspace(baseUrl, mongo, full, decisions);
    await writeFile(filled, JSON.stringify({ full, small }));
  }
  const workspaces = JSON.parse(await readFile(filled, 'utf8')) as Pick<TransferStand, 'full' | 'small'>;
  return {
    ...workspaces,
    isFresh,
    product,
    mongo,
    async stop() {
      await mongo.close();
      await product.stop();
    },
  };
}

/** Creates a decision, and copies of it in the store, one second apart. */
export async function fillWorkspace(
  baseUrl: string,
  mongo: MongoClient,
  { workspaceId, key }: NewWorkspace,
  decisions: number,
): Promise<void> {
  const created = await callApi<{ id: string }>(`${baseUrl}/decisions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: { workspaceId, ...newDecision },
  });
  const collection = mongo.db('waymark_decisions').collection<{ _id: string }>('decisions');
  const { _id, ...one } = (await collection.findOne({ _id: created.body.id })) as Document & { _id: string };
  const lastMs = Date.parse(one['created_at'] as string);
  for (let stored = 1; stored < decisions; stored += BATCH) {
    const size = Math.min(BATCH, decisions - stored);
    const copies = Array.from({ length: size }, (_, i) => ({
      ...one,
      _id: newId(),
      title: `Decision ${stored + i}`,
      created_at: new Date(lastMs - (decisions - stored - i) * 1_000).toISOString(),
    }));
    await collection.insertMany(copies, { ordered: false, writeConcern: { w: 1 } });
  }
}

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@waymark/contracts';
import type { Document } from 'mongodb';
import type { NewWorkspace } from '../../dev/new-workspace.ts';
import { type Bench, startBench } from '../support/bench.ts';
import { newDecision } from '../support/new-decision.ts';

const BATCH = 10_000;

export interface TransferStand {
  /** The number of decisions. */
  full: NewWorkspace;
  /** The size of one decision. */
  small: NewWorkspace;
  /** Whether this run filled the stores. */
  isFresh: boolean;
  bench: Bench;
}

/** Starts what export and import need. With a given directory, later runs find the data again. */
export async function startTransferStand(decisions: number, directory?: string): Promise<TransferStand> {
  if (directory) await mkdir(directory, { recursive: true });
  const bench = await startBench({
    only: ['accounts', 'decisions', 'workflows', 'threads', 'transfer'],
    ...(directory && { directory }),
  });
  const filled = join(bench.directory, `filled-${decisions}.json`);
  const isFresh = !existsSync(filled);
  if (isFresh) {
    const full = await filledWorkspace(bench, `full-${decisions}`, decisions);
    const small = await filledWorkspace(bench, `small-${decisions}`, 1);
    await writeFile(filled, JSON.stringify({ full, small }));
  }
  const workspaces = JSON.parse(await readFile(filled, 'utf8')) as Pick<TransferStand, 'full' | 'small'>;
  return { ...workspaces, isFresh, bench };
}

/** Creates a workspace with a decision, and copies of it in the store, one second apart. */
async function filledWorkspace(bench: Bench, name: string, decisions: number): Promise<NewWorkspace> {
  const { call, ...workspace } = await bench.workspace(name);
  const { id } = await call('POST', '/decisions', { body: newDecision });
  const collection = bench.mongo.db('waymark_decisions').collection<{ _id: string }>('decisions');
  const { _id, ...one } = (await collection.findOne({ _id: id })) as Document & { _id: string };
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
  return workspace;
}

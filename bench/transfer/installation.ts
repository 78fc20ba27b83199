import { newId } from '@waymark/contracts';
import type { Document } from 'mongodb';
import type { NewWorkspace } from '../../dev/new-workspace.ts';
import { type Bench, startBench } from '../support/bench.ts';
import { newDecision } from '../support/new-decision.ts';

const BATCH = 10_000;

/** Starts the services of export and import, with a workspace of `decisions` and one of a single decision. */
export async function startTransferStand(decisions: number) {
  const bench = await startBench({ only: ['accounts', 'decisions', 'workflows', 'threads', 'transfer'] });
  const full = await filledWorkspace(bench, 'full', decisions);
  const small = await filledWorkspace(bench, 'small', 1);
  return { bench, full, small };
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

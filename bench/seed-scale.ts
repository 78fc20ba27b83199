import { newId } from '@waymark/contracts';
import type { Document, MongoClient } from 'mongodb';
import { recount } from '../services/decisions/src/store/recount.ts';

const ROWS_AT_ONCE = 2_000;
const OUTCOMES = ['pending', 'success', 'partial', 'failure'];

/** An installation's size; the measured workspace has half of all decisions, the others share the rest. */
export interface Size {
  workspaces: number;
  decisions: number;
}

/**
 * Fills an installation up to a size, straight in MongoDB, with copies of the workspace and of one decision that the API made.
 * @returns ids of the decisions in the measured workspace.
 */
export async function seedScale(mongo: MongoClient, workspaceId: string, size: Size): Promise<string[]> {
  const accounts = mongo.db('waymark_accounts');
  const db = mongo.db('waymark_decisions');
  const decisions = db.collection<Document & { _id: string }>('decisions');
  await growAccounts(mongo, workspaceId, size.workspaces);
  const others = await accounts
    .collection<{ _id: string }>('workspaces')
    .find({ _id: { $ne: workspaceId } })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  const model = await decisions.findOne({ workspace_id: workspaceId });
  if (!model) throw new Error('the measured workspace has no decision to copy');
  const have = await decisions.estimatedDocumentCount();
  for (let made = have; made < size.decisions; made += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, size.decisions - made) }, (_, i) => ({
      ...model,
      _id: newId(),
      workspace_id: i % 2 === 0 ? workspaceId : others[(made + i) % others.length]!._id,
      title: `Decision ${made + i}`,
      outcome: OUTCOMES[i % OUTCOMES.length]!,
      created_at: new Date(Date.now() - (made + i) * 1_000).toISOString(),
    }));
    await decisions.insertMany(rows, { ordered: false, writeConcern: { w: 1 } });
  }
  await recount(db, workspaceId, true);
  const own = decisions.find({ workspace_id: workspaceId }).project<{ _id: string }>({ _id: 1 }).limit(1_000);
  return (await own.toArray()).map(({ _id }) => _id);
}

async function growAccounts(mongo: MongoClient, workspaceId: string, count: number): Promise<void> {
  const db = mongo.db('waymark_accounts');
  const have = await db.collection('workspaces').estimatedDocumentCount();
  const ids = Array.from({ length: Math.max(0, count - have) }, () => newId());
  if (ids.length === 0) return;
  const workspace = await db.collection<{ _id: string }>('workspaces').findOne({ _id: workspaceId });
  const member = await db.collection('members').findOne({ workspace_id: workspaceId });
  const key = await db.collection('api_keys').findOne({ workspace_id: workspaceId });
  const copies: Record<string, (id: string) => Document> = {
    workspaces: (id) => ({ ...workspace, _id: id }),
    members: (id) => ({ ...member, _id: newId(), workspace_id: id, user_id: newId() }),
    api_keys: (id) => ({ ...key, _id: newId(), workspace_id: id, key_hash: newId() }),
  };
  for (const [name, copy] of Object.entries(copies)) {
    await db.collection(name).insertMany(ids.map(copy), { ordered: false });
  }
}

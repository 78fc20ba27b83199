import { newId } from '@waymark/contracts';
import { type Database, inTransaction, isDuplicate } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { Change } from '../projection/events.ts';
import { kinds } from '../projection/item.ts';
import { POSITIONS_PER_MS, type ProjectedItem, planProjection, type Ref, refOf } from '../projection/plan.ts';
import { type Collections, documentOf, type ItemDocument, keyOf, projectedOf } from './items.ts';

const newWorkspace = () => ({ epoch: newId(), revision: 0, batches: 0 });

/** An event whose changes are not stored in this time is redelivered. */
const OPTIONS = { readConcern: { level: 'snapshot' }, timeoutMs: 10_000 } as const;

export function projectionStore(database: Database, collections: Collections, now: () => number) {
  const { workspaces } = collections;
  return {
    /** Projects changes of one workspace, all or none. Batches of a workspace exclude each other. */
    async project(workspaceId: string, changes: readonly Change[]): Promise<void> {
      const work = (session: ClientSession) =>
        projectKnown(collections, workspaceId, changes, new Date(now()), session);
      while (!(await inTransaction(database.client, work, OPTIONS))) {
        await workspaces
          .updateOne({ _id: workspaceId }, { $setOnInsert: newWorkspace() }, { upsert: true })
          .catch(ignoreDuplicate);
      }
    },

    /** Records that a workspace was deleted: later changes of it are ignored. */
    async end(workspaceId: string): Promise<void> {
      const deleted = { $set: { deleted_at: new Date(now()) }, $setOnInsert: newWorkspace() };
      await workspaces.updateOne({ _id: workspaceId }, deleted, { upsert: true });
    },
  };
}

/** Returns false, and does nothing, when the workspace has no document yet. */
async function projectKnown(
  { items, workspaces }: Collections,
  workspaceId: string,
  changes: readonly Change[],
  at: Date,
  session: ClientSession,
): Promise<boolean> {
  const workspace = await workspaces.findOne({ _id: workspaceId }, { session });
  if (!workspace) return false;
  if (workspace.deleted_at) return true;
  const records = changes.flatMap((change) => [change, ...(change.item?.parent ? [change.item.parent] : [])]);
  const keys = [...new Set(records.map(refOf))].map((ref) => keyOf(workspaceId, ref));
  const found = await items.find({ _id: { $in: keys } }, { session }).toArray();
  const known = new Map(found.map((document) => [refOf(document), projectedOf(document)]));
  const { writes, deletedTopics, revision } = planProjection(changes, known, workspace.revision);
  if (writes.length === 0) return true;
  await assignPositions(items, workspaceId, writes, session);
  await workspaces.updateOne({ _id: workspaceId }, { $set: { revision }, $inc: { batches: 1 } }, { session });
  await items.bulkWrite(
    writes.map((item) => {
      const { _id, ...replacement } = documentOf(workspaceId, item, at);
      // A sharded cluster takes an upsert only with the shard key.
      const filter = { _id, workspace_id: workspaceId };
      return { replaceOne: { filter, replacement, upsert: true } };
    }),
    { session, ordered: false },
  );
  await deleteMessages(items, workspaceId, deletedTopics, { revision, deleted_at: at }, session);
  return true;
}

/**
 * Assigns new records their preferred positions, or free positions soon after. Each round reaches twice as
 * far, so that a million imported records of one moment take about ten rounds.
 */
async function assignPositions(
  items: Collections['items'],
  workspaceId: string,
  writes: ProjectedItem[],
  session: ClientSession,
): Promise<void> {
  let waiting = writes.flatMap(({ live }) => (live && live.position === null ? [live] : []));
  const assigned = new Set<number>();
  for (let reach = 1; waiting.length > 0; reach *= 2) {
    const positions = waiting.map(({ preferred }) => preferred);
    const filter = { workspace_id: workspaceId, kind: { $in: [...kinds] }, position: { $in: positions } };
    const found = await items.find(filter, { session, projection: { position: 1 } }).toArray();
    const taken = new Set([...assigned, ...found.map(({ position }) => position)]);
    for (const live of waiting) {
      if (taken.has(live.preferred)) {
        live.preferred += POSITIONS_PER_MS * (1 + Math.floor(Math.random() * reach));
      } else {
        live.position = live.preferred;
        taken.add(live.preferred);
        assigned.add(live.preferred);
      }
    }
    waiting = waiting.filter(({ position }) => position === null);
  }
}

/** Turns messages that precede the deletion of their topic into tombstones. */
async function deleteMessages(
  items: Collections['items'],
  workspaceId: string,
  deletedTopics: ReadonlyMap<Ref, number>,
  tombstone: Pick<ItemDocument, 'revision' | 'deleted_at'>,
  session: ClientSession,
): Promise<void> {
  if (deletedTopics.size === 0) return;
  const filter = { workspace_id: workspaceId, parent: { $in: [...deletedTopics.keys()] } };
  const messages = items.find(filter, { session, projection: { parent: 1, generation: 1 } });
  const keys: string[] = [];
  for await (const { _id, parent, generation = 0 } of messages) {
    if (generation < deletedTopics.get(parent!)!) keys.push(_id);
  }
  const $unset = { parent: 1, generation: 1, created_ms: 1, position: 1, folded: 1, payload: 1 } as const;
  if (keys.length > 0) {
    await items.updateMany({ _id: { $in: keys } }, { $set: tombstone, $unset }, { session });
  }
}

function ignoreDuplicate(error: unknown): void {
  if (!isDuplicate(error)) throw error;
}

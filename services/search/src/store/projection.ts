import { newId } from '@waymark/contracts';
import { type Database, inTransaction, isDuplicate, removeInRounds } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { Change } from '../projection/events.ts';
import { kinds } from '../projection/item.ts';
import { PLACES_PER_MS, type ProjectedItem, planProjection, type Ref, refOf } from '../projection/plan.ts';
import { type Collections, type ItemDocument, keyOf, projectedOf } from './items.ts';

/** Below what a caller waits. */
const PURGE_MS = 1_500;
const unknown = () => ({ epoch: newId(), revision: 0, batches: 0 });

export function projectionStore(database: Database, { items, workspaces }: Collections, now: () => number) {
  /** Null when the workspace is not known yet. */
  async function project(workspaceId: string, changes: readonly Change[], session: ClientSession) {
    const workspace = await workspaces.findOne({ _id: workspaceId }, { session });
    if (!workspace) return null;
    if (workspace.deleted_at) return { revision: workspace.revision };
    const refs = new Set(changes.flatMap(({ kind, id, item }) => [refOf({ kind, id }), ...parentOf(item)]));
    const keys = [...refs].map((ref) => keyOf(workspaceId, ref));
    const found = await items.find({ _id: { $in: keys } }, { session }).toArray();
    const known = new Map(found.map((document) => [refOf(document), projectedOf(document)]));
    const { writes, gone, revision } = planProjection(changes, known, workspace.revision);
    if (writes.length === 0) return { revision };
    await givePlaces(workspaceId, writes, session);
    const at = new Date(now());
    await workspaces.updateOne(
      { _id: workspaceId },
      { $set: { revision }, $inc: { batches: 1 } },
      { session },
    );
    await items.bulkWrite(
      writes.map((item) => {
        const { _id, ...replacement } = documentOf(workspaceId, item, at);
        // By the shard key as well: a sharded cluster takes no upsert without it.
        const filter = { _id, workspace_id: workspaceId };
        return { replaceOne: { filter, replacement, upsert: true } };
      }),
      { session, ordered: false },
    );
    await bury(workspaceId, gone, { revision, deleted_at: at }, session);
    return { revision };
  }

  /**
   * Gives new records a free place at or soon after the one that they prefer. Who finds theirs taken looks ever further: a million
   * imported records of one moment find places within some ten looks, where the next one each time would take hundreds.
   */
  async function givePlaces(workspaceId: string, writes: ProjectedItem[], session: ClientSession) {
    let waiting = writes.flatMap(({ live }) => (live && live.position === null ? [live] : []));
    const given = new Set<number>();
    for (let reach = 1; waiting.length > 0; reach *= 2) {
      const positions = waiting.map(({ preferred }) => preferred);
      const filter = { workspace_id: workspaceId, kind: { $in: [...kinds] }, position: { $in: positions } };
      const found = await items.find(filter, { session, projection: { position: 1 } }).toArray();
      const taken = new Set([...given, ...found.map(({ position }) => position)]);
      for (const live of waiting) {
        if (taken.has(live.preferred)) {
          live.preferred += PLACES_PER_MS * (1 + Math.floor(Math.random() * reach));
        } else {
          live.position = live.preferred;
          taken.add(live.preferred);
          given.add(live.preferred);
        }
      }
      waiting = waiting.filter(({ position }) => position === null);
    }
  }

  /** Makes tombstones of the messages that nodes had before they were deleted, as of these versions. */
  async function bury(
    workspaceId: string,
    gone: ReadonlyMap<Ref, number>,
    tombstone: Pick<ItemDocument, 'revision' | 'deleted_at'>,
    session: ClientSession,
  ) {
    if (gone.size === 0) return;
    const filter = { workspace_id: workspaceId, parent: { $in: [...gone.keys()] } };
    const children = items.find(filter, { session, projection: { parent: 1, generation: 1 } });
    const keys: string[] = [];
    for await (const { _id, parent, generation = 0 } of children) {
      if (generation < gone.get(parent!)!) keys.push(_id);
    }
    const $unset = {
      parent: 1,
      generation: 1,
      created_ms: 1,
      position: 1,
      folded: 1,
      payload: 1,
    } as const;
    if (keys.length > 0)
      await items.updateMany({ _id: { $in: keys } }, { $set: tombstone, $unset }, { session });
  }

  return {
    /** Takes in a batch of changes of one workspace, all or nothing. Batches of a workspace take turns. */
    async project(workspaceId: string, changes: readonly Change[]): Promise<void> {
      const work = (session: ClientSession) => project(workspaceId, changes, session);
      while (!(await inTransaction(database.client, work, { readConcern: { level: 'snapshot' } }))) {
        await workspaces
          .updateOne({ _id: workspaceId }, { $setOnInsert: unknown() }, { upsert: true })
          .catch(ignoreDuplicate);
      }
    },

    /** Removes all of a workspace for good, as much as a call has time for; what comes later finds that it is gone. */
    async purge(workspaceId: string): Promise<{ is_done: boolean }> {
      const startedAtMs = performance.now();
      const gone = { $set: { deleted_at: new Date(now()) }, $setOnInsert: unknown() };
      await workspaces.updateOne({ _id: workspaceId }, gone, { upsert: true });
      const isOver = () => performance.now() - startedAtMs > PURGE_MS;
      return { is_done: await removeInRounds(items, { workspace_id: workspaceId }, isOver) };
    },
  };
}

function parentOf(item: Change['item']): Ref[] {
  return item?.parent ? [refOf(item.parent)] : [];
}

function documentOf(workspaceId: string, item: ProjectedItem, at: Date): ItemDocument {
  const { kind, id, version, revision, deleted_version, live } = item;
  const record = {
    _id: keyOf(workspaceId, refOf(item)),
    workspace_id: workspaceId,
    kind,
    id,
    version,
    revision,
    ...(deleted_version > 0 && { deleted_version }),
  };
  if (!live) return { ...record, deleted_at: at };
  const { parent, generation, created_ms, position, folded, payload } = live;
  const belongs = { ...(parent && { parent }), ...(generation !== null && { generation }) };
  return { ...record, ...belongs, created_ms, position: position!, folded, payload };
}

function ignoreDuplicate(error: unknown): void {
  if (!isDuplicate(error)) throw error;
}

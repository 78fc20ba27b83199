import { newId } from '@waymark/contracts';
import type { Bounded } from '@waymark/service-kit/http';
import type { Database } from '@waymark/service-kit/store';
import type { Kind, Payload } from '../projection/item.ts';
import {
  collectionsOf,
  type IndexedChange,
  type ItemDocument,
  indexedOf,
  keyOf,
  scanSource,
} from './items.ts';
import { projectionStore } from './projection.ts';

/** A portion of a workspace's changes; it completes the changes up to and including `revision`. */
export interface ChangesPortion {
  changes: IndexedChange[];
  revision: number;
}

/** The state of a workspace's projection. Revisions count within an epoch; a rebuild starts a new epoch. */
export interface ProjectionState {
  epoch: string;
  revision: number;
}

/** The part of a stored item that a rebuild compares. An item without a position is a tombstone. */
export type StoredItem = Pick<ItemDocument, 'workspace_id' | 'id' | 'version' | 'revision' | 'position'>;

/** About a thousand records, indexed within about a tenth of a second. */
const PORTION_CHARACTERS = 1024 * 1024;

export type SearchStore = ReturnType<typeof openStore>;

export function openStore(database: Database, now: () => number) {
  const collections = collectionsOf(database);
  const { items, workspaces } = collections;

  /** Returns null for a deleted or unknown workspace. */
  async function state(workspaceId: string): Promise<ProjectionState | null> {
    const projection = { revision: 1, epoch: 1, deleted_at: 1 };
    const found = await workspaces.findOne({ _id: workspaceId }, { projection });
    return found && !found.deleted_at ? { epoch: found.epoch, revision: found.revision } : null;
  }

  return {
    ...projectionStore(database, collections, now),
    state,
    scan: (workspaceId: string, bounded: Bounded) => scanSource(collections, workspaceId, bounded),

    /** Returns the titles of records that are not deleted, and the workflows of nodes, by id. */
    async titles(workspaceId: string, records: { kind: Kind; id: string }[]) {
      const keys = records.map(({ kind, id }) => keyOf(workspaceId, `${kind}/${id}`));
      const found = await items.find({ _id: { $in: keys } }, { projection: { id: 1, payload: 1 } }).toArray();
      const shownOf = found.flatMap(({ id, payload }) =>
        payload ? [[id, (JSON.parse(payload) as Payload).shown] as const] : [],
      );
      const byId = (field: string) =>
        Object.fromEntries(shownOf.flatMap(([id, shown]) => (field in shown ? [[id, shown[field]!]] : [])));
      return { titles: byId('title'), workflows: byId('workflow_id') };
    },

    /** Yields all changes after `since`. Commits assign revisions in order, so none appears later. */
    async *changesAfter(workspaceId: string, since: number, size: number): AsyncGenerator<ChangesPortion> {
      const reached = await state(workspaceId);
      const filter = { workspace_id: workspaceId, revision: { $gt: since } };
      let changes: IndexedChange[] = [];
      let characters = 0;
      for await (const item of items.find<ItemDocument>(filter).sort({ revision: 1 }).batchSize(size)) {
        changes.push(indexedOf(item));
        characters += (item.folded?.length ?? 0) + (item.payload?.length ?? 0);
        if (changes.length < size && characters < PORTION_CHARACTERS) continue;
        // Other items may have the same revision as this last one.
        yield { changes, revision: item.revision - 1 };
        changes = [];
        characters = 0;
      }
      yield { changes, revision: Math.max(since, reached?.revision ?? 0) };
    },

    /** Returns the items of a kind after an id in all workspaces, tombstones too, ordered by id. */
    storedAfter(kind: Kind, after: string, limit: number): Promise<StoredItem[]> {
      const projection = { workspace_id: 1, id: 1, version: 1, revision: 1, position: 1 };
      return items.find({ kind, id: { $gt: after } }, { projection, sort: { id: 1 }, limit }).toArray();
    },

    /** Makes every replica rebuild its indexes. */
    async renewIndexes(): Promise<void> {
      await workspaces.updateMany({}, { $set: { epoch: newId() } });
    },
  };
}

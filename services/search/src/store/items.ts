import type { Bounded } from '@waymark/service-kit/http';
import type { Database, Indexes } from '@waymark/service-kit/store';
import type { Collection, Filter, FindOptions } from 'mongodb';
import type { Kind } from '../projection/item.ts';
import type { ProjectedItem, Ref } from '../projection/plan.ts';
import type { TextRow, TextSource } from '../query/find-hits.ts';

/** A live record as an index takes it. */
export interface IndexedRow extends TextRow {
  folded: string;
}

/** The current state of a record: the row is null when it was deleted. */
export interface IndexedChange {
  kind: Kind;
  id: string;
  row: IndexedRow | null;
}

/** A live record, or a tombstone, which has neither text nor position. */
export interface ItemDocument {
  /** `workspace/kind/id`, so that workspaces never collide, whatever ids clients choose. */
  _id: string;
  workspace_id: string;
  kind: Kind;
  id: string;
  version: number;
  revision: number;
  deleted_version?: number;
  parent?: Ref;
  generation?: number;
  created_ms?: number;
  position?: number;
  folded?: string;
  payload?: string;
  deleted_at?: Date;
}

export interface WorkspaceDocument {
  _id: string;
  epoch: string;
  /** Counts the changes that a search can notice. */
  revision: number;
  /** Rises with every batch, so that batches of one workspace conflict. */
  batches: number;
  deleted_at?: Date;
}

const ITEMS = 'items';
const WORKSPACES = 'workspaces';
/** Longer than an event can be late (seven days) and than an unused index is kept (a day). */
const TOMBSTONE_SECONDS = 30 * 86_400;
const isLive = { position: { $exists: true } };

export const searchIndexes: Indexes = {
  [ITEMS]: [
    { key: { workspace_id: 1, revision: 1 } },
    { key: { workspace_id: 1, kind: 1, position: -1 }, unique: true, partialFilterExpression: isLive },
    {
      key: { workspace_id: 1, parent: 1, position: -1 },
      partialFilterExpression: { parent: { $exists: true } },
    },
    { key: { kind: 1, id: 1 } },
    { key: { deleted_at: 1 }, expireAfterSeconds: TOMBSTONE_SECONDS },
  ],
  [WORKSPACES]: [],
};

/** The collection with data of a workspace, and the field with its id. */
export const ownedCollections = { [ITEMS]: 'workspace_id' };

/** A sharded cluster keeps a workspace's items together. */
export const shardedBy = { [ITEMS]: 'workspace_id', [WORKSPACES]: '_id' };

export interface Collections {
  items: Collection<ItemDocument>;
  workspaces: Collection<WorkspaceDocument>;
}

export function collectionsOf(database: Database): Collections {
  return { items: database.collection(ITEMS), workspaces: database.collection(WORKSPACES) };
}

export const keyOf = (workspaceId: string, ref: Ref) => `${workspaceId}/${ref}`;

export function projectedOf(document: ItemDocument): ProjectedItem {
  const { kind, id, version, revision, deleted_version = 0 } = document;
  const { parent = null, generation = 0, position } = document;
  const record = { kind, id, version, revision, deleted_version };
  if (position === undefined) return { ...record, live: null };
  const { created_ms, folded, payload } = document as Required<ItemDocument>;
  return {
    ...record,
    live: { parent, generation, created_ms, position, preferred: position, folded, payload },
  };
}

export function documentOf(workspaceId: string, item: ProjectedItem, at: Date): ItemDocument {
  const { kind, id, version, revision, deleted_version, live } = item;
  const _id = keyOf(workspaceId, `${kind}/${id}`);
  const deletion = deleted_version > 0 && { deleted_version };
  const record = { _id, workspace_id: workspaceId, kind, id, version, revision, ...deletion };
  if (!live) return { ...record, deleted_at: at };
  const { parent, generation, created_ms, position, folded, payload } = live;
  const text = { created_ms, position: position!, folded, payload };
  return { ...record, ...(parent && { parent, generation }), ...text };
}

const rowFields = { id: 1, parent: 1, position: 1, payload: 1 } as const;

function rowOf({ id, parent, position, payload }: ItemDocument): TextRow {
  return { id, parent_id: parent?.split('/')[1] ?? null, position: position!, payload: payload! };
}

export function indexedOf(document: ItemDocument): IndexedChange {
  const { kind, id, position, folded } = document;
  const isLive = position !== undefined && folded !== undefined;
  return { kind, id, row: isLive ? { ...rowOf(document), folded } : null };
}

/** Whether the folded text contains q, byte for byte. */
const contains = (q: string) => ({ $expr: { $gte: [{ $indexOfBytes: ['$folded', { $literal: q }] }, 0] } });

/** Scans a projection: exact at any time, slow for rare texts. */
export function scanSource({ items }: Collections, workspace_id: string, bounded: Bounded): TextSource {
  async function read(filter: Filter<ItemDocument>, options: FindOptions): Promise<TextRow[]> {
    const all = { ...options, ...bounded, projection: rowFields };
    return (await items.find({ workspace_id, ...filter }, all).toArray()).map(rowOf);
  }

  const newestFirst = { position: -1 } as const;
  return {
    newest: (kind, q, before, count) =>
      read({ kind, position: { $lt: before }, ...contains(q) }, { sort: newestFirst, limit: count }),
    messagesOf(topic, id, q, from, count) {
      const filter = { parent: `${topic}/${id}`, position: { $gte: from }, ...contains(q) };
      return read(filter, { sort: newestFirst, limit: count });
    },
    async topic(topic, id) {
      const [found] = await read({ _id: keyOf(workspace_id, `${topic}/${id}`), ...isLive }, { limit: 1 });
      return found ?? null;
    },
  };
}

import { type Database, type Indexes, isOutOfTime } from '@waymark/service-kit/store';
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

/** Returns the time that a scan has left. Throws OutOfTime when that is over. */
export type TimeLeftMs = () => number;

/** A scan did not end in its time. */
export class OutOfTime extends Error {}

/** A live record, or a tombstone: that has neither text nor place. */
export interface ItemDocument {
  /** `workspace/kind/id`: whatever ids others choose, no workspace can reach into another. */
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
  /** Of the last change that a search can notice. */
  revision: number;
  /** Rises with every batch, so that batches of one workspace exclude each other. */
  batches: number;
  deleted_at?: Date;
}

const ITEMS = 'items';
const WORKSPACES = 'workspaces';
/** Longer than an event can be late (the stream's seven days) and than an unused index is kept. */
const TOMBSTONE_SECONDS = 30 * 86_400;
const isPlaced = { position: { $exists: true } };

export const searchIndexes: Indexes = {
  [ITEMS]: [
    { key: { workspace_id: 1, revision: 1 } },
    { key: { workspace_id: 1, kind: 1, position: -1 }, unique: true, partialFilterExpression: isPlaced },
    {
      key: { workspace_id: 1, parent: 1, position: -1 },
      partialFilterExpression: { parent: { $exists: true } },
    },
    { key: { kind: 1, id: 1 } },
    { key: { deleted_at: 1 }, expireAfterSeconds: TOMBSTONE_SECONDS },
  ],
  [WORKSPACES]: [],
};

/** On a sharded cluster a workspace's items stay together. */
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
  const { kind, id, version, revision, created_ms, position, folded, payload } = document;
  const { parent = null, generation = null } = document;
  const isLive =
    created_ms !== undefined && position !== undefined && folded !== undefined && payload !== undefined;
  const live = isLive
    ? { parent, generation, created_ms, position, preferred: position, folded, payload }
    : null;
  // A tombstone of the version before may be of a node whose workflow was gone, at a version that the node still has.
  const { deleted_version = kind === 'node' && !live ? version - 1 : 0 } = document;
  return { kind, id, version, revision, deleted_version, live };
}

const rowFields = { kind: 1, id: 1, parent: 1, position: 1, payload: 1 } as const;

function rowOf({ id, kind, parent, position, payload }: ItemDocument): TextRow {
  const parentId = kind === 'message' ? (parent?.split('/')[1] ?? null) : null;
  return { id, parent_id: parentId, position: position!, payload: payload! };
}

/** A record as an index takes it. */
export function indexedOf(document: ItemDocument): IndexedChange {
  const { kind, id, position, folded } = document;
  const isLive = position !== undefined && folded !== undefined;
  return { kind, id, row: isLive ? { ...rowOf(document), folded } : null };
}

/** Whether the folded text contains q, byte for byte. */
const contains = (q: string) => ({ $expr: { $gte: [{ $indexOfBytes: ['$folded', { $literal: q }] }, 0] } });

/**
 * Searches a workspace's projection itself, newest first: exact at any time, and slow where q is rare. What takes longer than is
 * left throws OutOfTime.
 */
export function scanSource({ items }: Collections, workspaceId: string, timeLeftMs: TimeLeftMs): TextSource {
  const workspace_id = workspaceId;

  async function read(filter: Filter<ItemDocument>, options: FindOptions): Promise<TextRow[]> {
    const bounded = { ...options, projection: rowFields, maxTimeMS: timeLeftMs() };
    try {
      return (await items.find({ workspace_id, ...filter }, bounded).toArray()).map(rowOf);
    } catch (error) {
      throw isOutOfTime(error) ? new OutOfTime('MongoDB took too long', { cause: error }) : error;
    }
  }

  const newestFirst = { position: -1 } as const;
  return {
    newest: (kind, q, before, count) =>
      read({ kind, position: { $lt: before }, ...contains(q) }, { sort: newestFirst, limit: count }),
    messagesOf: (nodeId, q, from, count) =>
      read(
        { parent: `node/${nodeId}`, position: { $gte: from }, ...contains(q) },
        { sort: newestFirst, limit: count },
      ),
    async node(id) {
      const [found] = await read({ _id: keyOf(workspace_id, `node/${id}`), ...isPlaced }, { limit: 1 });
      return found ?? null;
    },
  };
}

import { type Author, limits, newId, type TrashedRecord, type TrashKind } from '@waymark/contracts';
import type { ClientSession, Document } from 'mongodb';
import type { RequestContext } from '../http/request-context.ts';
import type { Database, Indexes } from './database.ts';
import { type PageRequest, type Sort, viewPage } from './keyset-page.ts';
import { inSession, recordCollection } from './record-collection.ts';

export const TRASH = 'trash';
const HOLDS = 'trash_holds';
export const EVERY_WORKSPACE = 'all';
const KEPT_MS = limits.trashDays * 86_400_000;
const LATEST: Sort = [
  ['deleted_at', -1],
  ['_id', -1],
];

export const trashIndexes: Indexes = {
  [TRASH]: [
    { key: { workspace_id: 1, root: 1 } },
    {
      key: { workspace_id: 1, 'entry.kind': 1, deleted_at: -1, _id: -1 },
      partialFilterExpression: { 'entry.kind': { $gt: '' } },
    },
    { key: { expires_at: 1 } },
  ],
};

type Documents = Record<string, Document[]>;
type TrashEntry = Omit<TrashedRecord, 'purged_at'>;

/** The entry that a list shows, or a document that was deleted with it. */
interface TrashRow {
  id: string;
  workspace_id: string;
  /** Names the deletion: its documents are restored together. */
  root: string;
  expires_at: Date;
  entry?: TrashEntry;
  deleted_at?: string;
  collection?: string;
  document?: Document;
}

export interface Trashed {
  root: string;
  entry?: TrashEntry;
  documents: Documents;
}

type Collections = Pick<Database, 'collection'>;
export type Trash = ReturnType<typeof trashStore>;

/** Returns the entry of a deleted record. The title of a message is the beginning of its content. */
export function trashEntry(
  kind: TrashKind,
  record: { id: string; title: string; version: number },
  { at, by: { type, id, name } }: { at: string; by: Author },
  of: Partial<Pick<TrashEntry, 'workflow_id' | 'node_id' | 'decision_id'>> = {},
): TrashEntry {
  const owner = { workflow_id: null, node_id: null, decision_id: null, ...of };
  const { title, version } = record;
  const deleted_by = { type, id, name };
  return { kind, id: record.id, title, version: version + 1, ...owner, deleted_at: at, deleted_by };
}

export const trashRoot = (kind: TrashKind, id: string) => `${kind}/${id}`;

/** Keeps deleted records as they were stored, until the purge. */
export function trashStore(database: Database) {
  const { collection: rows, page: pageOf } = recordCollection<TrashRow>(database, TRASH);
  const holds = database.collection<{ _id: string }>(HOLDS);

  /** Adds documents to the deletions with the same roots. */
  async function add(workspace_id: string, trashed: Trashed[], atMs: number, session: ClientSession) {
    const expires_at = new Date(atMs + KEPT_MS);
    const stored = trashed.flatMap(({ root, entry, documents }) => {
      const head = entry ? [{ entry, deleted_at: entry.deleted_at }] : [];
      const parts = Object.entries(documents).flatMap(([collection, list]) =>
        list.map((document) => ({ collection, document })),
      );
      return [...head, ...parts].map((part) => ({ _id: newId(), workspace_id, root, expires_at, ...part }));
    });
    if (stored.length > 0) await rows.insertMany(stored, { session });
  }

  return {
    add,

    /** Stores deleted records, in place of the remains of earlier deletions with the same roots. */
    async put(workspace_id: string, trashed: Trashed[], atMs: number, session: ClientSession) {
      const roots = trashed.map(({ root }) => root);
      await rows.deleteMany({ workspace_id, root: { $in: roots } }, { session });
      await add(workspace_id, trashed, atMs, session);
    },

    /** Takes the records of a deletion out of the trash and returns them; null if there are none. */
    async take(workspace_id: string, root: string, session: ClientSession) {
      const found = await rows.find({ workspace_id, root }, { session }).toArray();
      if (found.length === 0) return null;
      await rows.deleteMany({ workspace_id, root }, { session });
      const parts = found.flatMap(({ collection, document }) =>
        collection && document ? { collection, document } : [],
      );
      const documents: Documents = {};
      for (const [name, list] of Map.groupBy(parts, ({ collection }) => collection))
        documents[name] = list.map(({ document }) => document);
      return { entry: found.find(({ entry }) => entry)?.entry, documents };
    },

    async find(workspace_id: string, root: string, session?: ClientSession): Promise<TrashEntry | null> {
      const filter = { workspace_id, root, 'entry.kind': { $gt: '' } };
      return (await rows.findOne(filter as object, inSession(session)))?.entry ?? null;
    },

    /** Returns the roots, among these, that the trash has documents of. */
    rootsAmong: (workspace_id: string, roots: readonly string[]) =>
      rows.distinct('root', { workspace_id, root: { $in: [...roots] } }),

    /** Removes records that exist again, such as by an import. */
    async discard(workspace_id: string, kind: TrashKind, ids: readonly string[], session: ClientSession) {
      if (ids.length === 0) return;
      const roots = ids.map((id) => trashRoot(kind, id));
      await rows.deleteMany({ workspace_id, root: { $in: roots } }, { session });
    },

    /** Lists the records that can be restored, latest deletion first. */
    async list({ access: { workspaceId } }: RequestContext, kind: TrashKind, page: PageRequest) {
      const filter = { workspace_id: workspaceId, 'entry.kind': kind };
      const trashed = await pageOf(filter, LATEST, page, JSON.stringify(['trash', workspaceId, kind]));
      const isHeld = await holds.findOne({ _id: { $in: [workspaceId, EVERY_WORKSPACE] } });
      return viewPage(trashed, ({ entry, expires_at }): TrashedRecord => {
        return { ...entry!, purged_at: isHeld ? null : expires_at.toISOString() };
      });
    },
  };
}

/** Removes expired records for good, except in workspaces that an operator holds. */
export async function purgeTrash({ collection }: Collections, nowMs: number): Promise<void> {
  const held = (await collection<{ _id: string }>(HOLDS).find().toArray()).map(({ _id }) => _id);
  if (held.includes(EVERY_WORKSPACE)) return;
  const expired = { expires_at: { $lt: new Date(nowMs) }, workspace_id: { $nin: held } };
  await collection(TRASH).deleteMany(expired);
}

/** Stops the purge of a workspace, or of every one, or lets it continue. */
export async function holdTrash({ collection }: Collections, workspaceId: string, isHeld: boolean) {
  const holds = collection<{ _id: string }>(HOLDS);
  const _id = workspaceId;
  if (isHeld) await holds.updateOne({ _id }, { $setOnInsert: { _id } }, { upsert: true });
  else await holds.deleteOne({ _id });
}

/**
 * Removes a person's name from the trash and from the fields `people` of each collection, which hold an id
 * and a name. Returns how many documents had it.
 */
export async function erasePerson(
  { collection }: Collections,
  userId: string,
  people: Record<string, readonly string[]> = {},
): Promise<number> {
  const named = Object.entries(people).flatMap(([name, fields]) =>
    fields.flatMap((field) => [
      [name, field, {}] as const,
      [TRASH, `document.${field}`, { collection: name }] as const,
    ]),
  );
  let erased = 0;
  for (const [name, field, where] of [[TRASH, 'entry.deleted_by', {}] as const, ...named]) {
    const theirs = { ...where, [`${field}.id`]: userId, [`${field}.name`]: { $ne: null } };
    const change = { $set: { [`${field}.name`]: null } };
    erased += (await collection(name).updateMany(theirs, change)).modifiedCount;
  }
  return erased;
}

import { type ExportCollection, exportCollections, type ImportJob } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  isDuplicate,
  removeInRounds,
  type Stored,
} from '@waymark/service-kit/store';
import { Binary, type ClientSession, type Filter, MongoBulkWriteError, type UpdateFilter } from 'mongodb';

export type ImportFormat = 'json' | 'zip';

/** An import as it is stored: the job that callers see, and what replicas know of the work. */
export interface ImportRecord extends ImportJob {
  format: ImportFormat;
  /** Of the file, in the order that they came. */
  chunks: number;
  /** Of each but the last. */
  chunk_bytes: number;
  /** Counts those who took the work: what an earlier one would still write is refused. */
  fence: number;
  leased_until: string;
  due_at: string;
  /** Steps of the phase that are done, and the last record that the next one has dealt with. */
  cursor: { step: number; after: number };
  failures: number;
  /** Who took the work since it last got further and was not heard of again; whoever is at it counts until its end. */
  lost_claims: number;
  /** Pieces of the file that were read by whoever read furthest: each begins anew. */
  furthest: number;
  expires_at: Date;
}

/** A record of a file, checked by itself. */
export interface ImportRow {
  /** `import/collection/id`. */
  _id: string;
  import_id: string;
  workspace_id: string;
  collection: ExportCollection;
  /** Its place in the file's collection. */
  seq: number;
  id: string;
  /** What it belongs to: a node's workflow, an outcome's decision, a message's thread. */
  parent: string | null;
  /** Of a decision: the one that it takes the place of. */
  supersedes: string | null;
  /** Of a decision: it is in the workspace in another state, and takes nothing more of the file. */
  is_unlike?: true;
  /** Of its free-form part. */
  free_form_bytes: number;
  record: string;
  expires_at: Date;
}

/** An upload that goes on: it has one of the places that its workspace's imports share. */
export interface Upload {
  /** Of the import that it is to become. */
  id: string;
  workspace_id: string;
  /** Of the request's Idempotency-Key. */
  idempotency_id: string | null;
  /** Renewed while its process lives; then its place is free. */
  leased_until: string;
  expires_at: Date;
}

interface Chunk {
  _id: string;
  workspace_id: string;
  import_id: string;
  data: Binary;
  expires_at: Date;
}

export const JOBS = 'import_jobs';
const UPLOADS = 'import_uploads';
const CHUNKS = 'import_chunks';
const ROWS = 'import_rows';
const WORKSPACES = 'workspaces';

export const importIndexes: Indexes = {
  [JOBS]: [
    { key: { workspace_id: 1, status: 1 } },
    { key: { status: 1, due_at: 1 } },
    { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  [UPLOADS]: [{ key: { workspace_id: 1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }],
  [CHUNKS]: [
    { key: { import_id: 1 } },
    { key: { workspace_id: 1 } },
    { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  [ROWS]: [
    { key: { import_id: 1, collection: 1, seq: 1 } },
    { key: { import_id: 1, collection: 1, parent: 1, seq: 1 } },
    { key: { workspace_id: 1 } },
    { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  [WORKSPACES]: [],
};

/** What goes with a workspace, by the field that names it. The job first: who is at it finds out. */
export const ownedCollections = {
  [JOBS]: 'workspace_id',
  [UPLOADS]: 'workspace_id',
  [CHUNKS]: 'workspace_id',
  [ROWS]: 'workspace_id',
  [WORKSPACES]: '_id',
};

export const rowKey = (importId: string, collection: string, id: string) => `${importId}/${collection}/${id}`;
const UNFINISHED = ['queued', 'running'] as const;

export const noCounts = () =>
  Object.fromEntries(exportCollections.map((name) => [name, 0])) as ImportJob['progress']['done'];

/** As callers and the work know it; the version before counted neither what is left out nor claims. */
function recordOf(found: Stored<ImportRecord> | null): ImportRecord | null {
  if (!found) return null;
  const { progress, ...job } = fromDocument<ImportRecord>(found);
  const { lost_claims = 0, furthest = 0 } = job as Partial<ImportRecord>;
  return {
    ...job,
    progress: { ...progress, left_out: progress.left_out ?? noCounts() },
    lost_claims,
    furthest,
  };
}

export type ImportStore = ReturnType<typeof importStore>;

export function importStore(database: Database) {
  const jobs = database.collection<Stored<ImportRecord>>(JOBS);
  const uploads = database.collection<Stored<Upload>>(UPLOADS);
  const chunks = database.collection<Chunk>(CHUNKS);
  const rows = database.collection<ImportRow>(ROWS);
  /** Guard documents: two uploads to a workspace must not both take its last place. */
  const workspaces = database.collection<{ _id: string; revision: number }>(WORKSPACES);

  return {
    async byId(id: string): Promise<ImportRecord | null> {
      return recordOf(await jobs.findOne({ _id: id }));
    },

    /**
     * How many imports wait or run, and uploads but `id` go on; no other transaction adds one before this one ends.
     */
    async countGuarded(
      workspaceId: string,
      id: string,
      now: string,
      session: ClientSession,
    ): Promise<number> {
      await workspaces.updateOne({ _id: workspaceId }, { $inc: { revision: 1 } }, { upsert: true, session });
      const ofWorkspace = { workspace_id: workspaceId };
      const unfinished = { ...ofWorkspace, status: { $in: [...UNFINISHED] } };
      const goingOn = { ...ofWorkspace, _id: { $ne: id }, leased_until: { $gt: now } };
      return (
        (await jobs.countDocuments(unfinished, { session })) +
        (await uploads.countDocuments(goingOn, { session }))
      );
    },

    async beginUpload({ id: _id, ...upload }: Upload, session: ClientSession): Promise<void> {
      await uploads.insertOne({ _id, ...upload }, { session });
    },

    /** How long it had its place before; null when it has ended. */
    async renewUpload(id: string, leasedUntil: string, session: ClientSession): Promise<string | null> {
      const renewed = { $set: { leased_until: leasedUntil } };
      return (await uploads.findOneAndUpdate({ _id: id }, renewed, { session }))?.leased_until ?? null;
    },

    /** How long it had its place; null when there is none: it was given up, or its workspace is gone. */
    async endUpload(id: string, session: ClientSession): Promise<string | null> {
      return (await uploads.findOneAndDelete({ _id: id }, { session }))?.leased_until ?? null;
    },

    async isUploading(
      workspaceId: string,
      idempotencyId: string,
      now: string,
      session: ClientSession,
    ): Promise<boolean> {
      const filter = { workspace_id: workspaceId, idempotency_id: idempotencyId, leased_until: { $gt: now } };
      return (await uploads.findOne(filter, { session })) !== null;
    },

    /**
     * Removes an upload with its file, unless it is an import by now. What ends it in a transaction whose outcome is unknown is
     * over before it can be deleted here, and cannot happen any more when it was.
     */
    async giveUp(id: string): Promise<void> {
      const { deletedCount } = await uploads.deleteOne({ _id: id });
      if (deletedCount === 0 && (await this.byId(id))) return;
      await this.removeFile(id);
    },

    async insert({ id: _id, ...job }: ImportRecord, session: ClientSession): Promise<void> {
      await jobs.insertOne({ _id, ...job }, { session });
    },

    /**
     * The next import that is due and that nobody is at. `beside` others, none whose last process was not heard of again: it may have
     * killed it. While one of those waits, no other is given either, or it might wait for ever.
     */
    async claim(now: string, leasedUntil: string, beside: boolean): Promise<ImportRecord | null> {
      const filter: Filter<Stored<ImportRecord>> = {
        status: { $in: [...UNFINISHED] },
        due_at: { $lte: now },
        leased_until: { $lte: now },
      };
      if (beside) {
        if (await jobs.findOne({ ...filter, lost_claims: { $gt: 0 } })) return null;
        filter.lost_claims = { $not: { $gt: 0 } };
      }
      const taken = {
        $set: { leased_until: leasedUntil, status: 'running' as const },
        $inc: { fence: 1, lost_claims: 1 },
      };
      return recordOf(
        await jobs.findOneAndUpdate(filter, taken, { sort: { due_at: 1 }, returnDocument: 'after' }),
      );
    },

    /** False when another replica has taken the import, or its workspace is gone: then nothing is written. */
    async save(
      { id, fence }: ImportRecord,
      set: UpdateFilter<Stored<ImportRecord>>['$set'],
    ): Promise<boolean> {
      const { matchedCount } = await jobs.updateOne({ _id: id, fence }, { $set: set ?? {} });
      return matchedCount === 1;
    },

    async addChunk(chunk: Omit<Chunk, '_id' | 'data'> & { n: number; data: Buffer }): Promise<void> {
      const { n, data, ...rest } = chunk;
      await chunks.insertOne({ _id: `${chunk.import_id}/${n}`, ...rest, data: new Binary(data) });
    },

    async chunk(importId: string, n: number): Promise<Buffer> {
      const found = await chunks.findOne({ _id: `${importId}/${n}` });
      if (!found) throw new Error(`import ${importId} lacks chunk ${n}`);
      return Buffer.from(found.data.buffer);
    },

    /** The piece of the file with a byte in it, and where it begins. All but the last are of one size. */
    async chunkAt({ id, chunk_bytes }: ImportRecord, at: number): Promise<{ data: Buffer; from: number }> {
      const n = Math.floor(at / chunk_bytes);
      return { data: await this.chunk(id, n), from: n * chunk_bytes };
    },

    async fileBytes({ id, chunks: count, chunk_bytes }: ImportRecord): Promise<number> {
      return (count - 1) * chunk_bytes + (await this.chunk(id, count - 1)).length;
    },

    async removeFile(importId: string): Promise<void> {
      await removeInRounds(chunks, { import_id: importId });
      await removeInRounds(rows, { import_id: importId });
    },

    /** Stores those that are not stored yet. Returns those whose id an earlier record of the file has. */
    async addRows(batch: ImportRow[]): Promise<ImportRow[]> {
      if (batch.length === 0) return [];
      try {
        await rows.insertMany(batch, { ordered: false });
        return [];
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError) || !isDuplicate(error)) throw error;
      }
      const keys = batch.map(({ _id }) => _id);
      const found = await rows.find({ _id: { $in: keys } }, { projection: { seq: 1 } }).toArray();
      const first = new Map(found.map(({ _id, seq }) => [_id, seq]));
      return batch.filter(({ _id, seq }) => first.get(_id) !== seq);
    },

    /** Behind a place in a collection, in the order of the file: at most so many rows, and characters if they are more than one. */
    async rowsAfter(
      importId: string,
      collection: ExportCollection,
      after: number,
      { records, characters }: { records: number; characters: number },
    ): Promise<ImportRow[]> {
      const found: ImportRow[] = [];
      let size = 0;
      const ofCollection = { import_id: importId, collection, seq: { $gt: after } };
      const cursor = rows.find(ofCollection).sort({ seq: 1 }).limit(records).batchSize(records);
      for await (const row of cursor) {
        size += row.record.length;
        if (size > characters && found.length > 0) break;
        found.push(row);
      }
      return found;
    },

    rowsOf: (importId: string, collection: ExportCollection, parent: string, limit: number) =>
      rows.find({ import_id: importId, collection, parent }).sort({ seq: 1 }).limit(limit).toArray(),

    async freeFormBytesOf(importId: string, parent: string): Promise<number> {
      const $match = { import_id: importId, collection: { $in: ['nodes', 'edges'] }, parent };
      const sum = { $group: { _id: null, bytes: { $sum: '$free_form_bytes' } } };
      const [found] = await rows.aggregate<{ bytes: number }>([{ $match }, sum]).toArray();
      return found?.bytes ?? 0;
    },

    /** Those of `ids` that the file has in a collection, with what they belong to. */
    async parents(
      importId: string,
      collection: ExportCollection,
      ids: readonly string[],
    ): Promise<Map<string, string | null>> {
      const keys = ids.map((id) => rowKey(importId, collection, id));
      const found = await rows.find({ _id: { $in: keys } }, { projection: { id: 1, parent: 1 } }).toArray();
      return new Map(found.map(({ id, parent }) => [id, parent]));
    },

    async markUnlike(keys: readonly string[]): Promise<void> {
      if (keys.length > 0) await rows.updateMany({ _id: { $in: [...keys] } }, { $set: { is_unlike: true } });
    },

    /** Which of these decisions of the file are in the workspace in another state. */
    async unlikeOf(importId: string, ids: readonly string[]): Promise<Set<string>> {
      const keys = ids.map((id) => rowKey(importId, 'decisions', id));
      const found = await rows
        .find({ _id: { $in: keys }, is_unlike: true }, { projection: { id: 1 } })
        .toArray();
      return new Set(found.map(({ id }) => id));
    },

    /** What each of those of `ids` that the file has takes the place of. */
    async supersedesOf(importId: string, ids: readonly string[]): Promise<Map<string, string | null>> {
      const keys = ids.map((id) => rowKey(importId, 'decisions', id));
      const found = await rows
        .find({ _id: { $in: keys } }, { projection: { id: 1, supersedes: 1 } })
        .toArray();
      return new Map(found.map(({ id, supersedes }) => [id, supersedes]));
    },
  };
}

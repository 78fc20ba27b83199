import type { Database, Indexes } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { BACKUPS } from './backups.ts';
import { CHUNKS, importChunks } from './chunks.ts';
import { importJobs, JOBS } from './jobs.ts';
import { importRows, ROWS } from './rows.ts';
import { importUploads, UPLOADS } from './uploads.ts';

export { CHUNK_BYTES, FILE_MS } from './chunks.ts';
export { type ImportFormat, type ImportRecord, JOBS, noCounts, type Running } from './jobs.ts';
export { type ImportRow, rowKey } from './rows.ts';
export type { Upload } from './uploads.ts';

const WORKSPACES = 'workspaces';
const EXPIRES = { key: { expires_at: 1 }, expireAfterSeconds: 0 };

export const importIndexes: Indexes = {
  [JOBS]: [
    { key: { workspace_id: 1, status: 1 } },
    { key: { user_id: 1, status: 1 } },
    { key: { network: 1, status: 1 } },
    { key: { status: 1, ahead: 1, queued_at: 1 } },
    EXPIRES,
  ],
  [UPLOADS]: [{ key: { workspace_id: 1 } }, EXPIRES],
  [CHUNKS]: [{ key: { import_id: 1 } }, { key: { workspace_id: 1 } }, EXPIRES],
  [ROWS]: [
    { key: { import_id: 1, collection: 1, seq: 1 } },
    { key: { import_id: 1, collection: 1, parent: 1, seq: 1 } },
    { key: { workspace_id: 1 } },
    EXPIRES,
  ],
  [WORKSPACES]: [],
  [BACKUPS]: [],
};

/** The field that names the workspace. Jobs are deleted first, so that their workers stop. */
export const ownedCollections = {
  [JOBS]: 'workspace_id',
  [UPLOADS]: 'workspace_id',
  [CHUNKS]: 'workspace_id',
  [ROWS]: 'workspace_id',
  [WORKSPACES]: '_id',
};

export type ImportStore = ReturnType<typeof openStore>;

export function openStore(database: Database) {
  const jobs = importJobs(database);
  const uploads = importUploads(database);
  const chunks = importChunks(database);
  const rows = importRows(database);
  /** Guard documents make two transactions that count the imports of one workspace conflict. */
  const guards = database.collection<{ _id: string; revision: number }>(WORKSPACES);

  async function removeFile(importId: string): Promise<void> {
    await chunks.remove(importId);
    await rows.remove(importId);
  }

  return {
    jobs,
    uploads,
    chunks,
    rows,

    /** Counts unfinished imports, and uploads except `id`. None can be added until the commit. */
    async countUnfinished(workspaceId: string, id: string, session: ClientSession): Promise<number> {
      await guards.updateOne({ _id: workspaceId }, { $inc: { revision: 1 } }, { upsert: true, session });
      const active = await uploads.countActive(workspaceId, id, session);
      return active + (await jobs.countUnfinished({ workspace_id: workspaceId }, session));
    },

    /** Removes an upload and its file, unless it is an import now. It can no longer become one. */
    async abandonUpload(id: string): Promise<void> {
      const isDeleted = await uploads.remove(id);
      if (!isDeleted && (await jobs.byId(id))) return;
      await removeFile(id);
    },

    removeFile,
  };
}

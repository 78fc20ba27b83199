import { ApiError } from '@waymark/contracts';
import { BSON, type Document, MongoServerError, Timestamp } from 'mongodb';
import type { Database } from './database.ts';
import { exportPageBody, exportPageOf } from './export-page.ts';
import { after, type Sort } from './keyset-page.ts';

/** Where the rows of one collection of an export come from. */
export interface ExportSource {
  collection: string;
  /** An index of the collection, behind workspace_id: no field in it is null, and together they are unique. */
  sort: Sort;
  /** The fields that go into the export, those of `sort` among them. */
  projection?: Document;
  /** What a document is in the export: one row, or several, or none. Default itself, with `id` for `_id`. */
  rows?(document: Document): unknown[];
  /** Which documents make rows, where not all do: those of any of these filters, each with an index behind workspace_id. */
  having?: Document[];
  /** So many documents to one of what is asked for: of what makes few and small rows, more are read at a time. */
  documentsPerRow?: number;
}

export interface ExportPageRequest<Name extends string> {
  workspace_id: string;
  collection: Name;
  as_of: string;
  after?: string | undefined;
  limit: number;
}

/**
 * Reads of a workspace as of one moment: a first call names the moment, later ones page through what was there then, whatever has
 * changed since. MongoDB keeps a moment for minSnapshotHistoryWindowInSeconds, five minutes unless configured; reads of an older
 * one throw SERVICE_UNAVAILABLE.
 */
export function snapshotExport<Name extends string>(
  { db }: Pick<Database, 'db'>,
  sources: Record<Name, ExportSource>,
): {
  /** The moment, and which collections then have something of the workspace. As quick for a million records as for one. */
  begin(workspaceId: string): Promise<{ as_of: string; held: Name[] }>;
  /** An `ExportPage` as bytes. */
  read(page: ExportPageRequest<Name>): Promise<Buffer>;
} {
  async function run(command: Document, asOf: Timestamp | null): Promise<SnapshotCursor> {
    const readConcern = { level: 'snapshot', ...(asOf && { atClusterTime: asOf }) };
    try {
      const { cursor } = await db.command({ ...command, readConcern }, { fieldsAsRaw: { firstBatch: true } });
      return cursor as SnapshotCursor;
    } catch (error) {
      if (!isTooOld(error)) throw error;
      const message = 'The export took longer than its snapshot is kept; try again.';
      throw new ApiError('SERVICE_UNAVAILABLE', { message, cause: error });
    }
  }

  /** Whether any document makes rows: one look-up for each filter, as for several in one MongoDB takes no partial index. */
  async function probe(
    { collection, having = [{}] }: ExportSource,
    workspace_id: string,
    asOf: Timestamp | null,
  ) {
    let moment = asOf;
    for (const one of having) {
      const filter = { workspace_id, ...one };
      const find = { find: collection, filter, limit: 1, singleBatch: true, projection: { _id: 1 } };
      const { firstBatch, atClusterTime } = await run(find, moment);
      moment ??= atClusterTime;
      if (firstBatch.length > 0) return { isHeld: true, moment };
    }
    return { isHeld: false, moment };
  }

  return {
    async begin(workspaceId) {
      let moment: Timestamp | null = null;
      const held: Name[] = [];
      for (const name of Object.keys(sources) as Name[]) {
        const probed = await probe(sources[name], workspaceId, moment);
        if (probed.isHeld) held.push(name);
        moment = probed.moment;
      }
      return { as_of: String(moment), held };
    },

    async read({ workspace_id, collection: name, as_of, after: token, limit }) {
      const { collection, sort, projection, rows, documentsPerRow = 1 } = sources[name];
      const documents = limit * documentsPerRow;
      const position = token === undefined ? null : (JSON.parse(token) as (string | number)[]);
      const find = {
        find: collection,
        filter: { workspace_id, ...(position && after(sort, position)) },
        sort: Object.fromEntries(sort),
        limit: documents,
        batchSize: documents,
        // A page of large documents ends where a reply of the store does, at 16 MiB.
        singleBatch: true,
        ...(projection && { projection }),
      };
      const { firstBatch } = await run(find, new Timestamp(BigInt(as_of)));
      const last = firstBatch.length > 0 ? BSON.deserialize(firstBatch.at(-1)!) : null;
      const next = last ? JSON.stringify(sort.map(([field]) => last[field] as unknown)) : null;
      if (!rows) return exportPageOf(firstBatch, next);
      return exportPageBody(
        firstBatch.flatMap((document) => rows(BSON.deserialize(document))),
        next,
      );
    },
  };
}

interface SnapshotCursor {
  /** As BSON. */
  firstBatch: Uint8Array[];
  atClusterTime: Timestamp;
}

function isTooOld(error: unknown): boolean {
  return (
    error instanceof MongoServerError &&
    (error.codeName === 'SnapshotTooOld' || error.codeName === 'SnapshotUnavailable')
  );
}

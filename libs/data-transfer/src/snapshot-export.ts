import {
  after,
  type Database,
  fromDocument,
  type Sort,
  type Stored,
  snapshotFind,
} from '@waymark/service-kit/store';
import { type Document, Timestamp } from 'mongodb';
import { exportPageBody } from './export-page.ts';

export interface ExportSource {
  collection: string;
  /** The field that names the workspace: by default workspace_id. */
  workspaceField?: '_id';
  /** The fields of an index after workspace_id. None is null, and together they are unique. */
  sort: Sort;
  /** The fields that go into the export, those of `sort` among them. */
  projection?: Document;
  /** The values of fields that documents may lack. */
  defaults?: object;
  /** Maps a document to its rows; by default one row, the record with its defaults. */
  rows?(document: Document): unknown[];
  /** Filters for the documents that produce rows, if not all do; each has an index after workspace_id. */
  having?: Document[];
  /** Documents read per requested row; more than 1 if documents produce few and small rows. */
  documentsPerRow?: number;
}

interface ExportPageRequest<Name extends string> {
  workspace_id: string;
  collection: Name;
  as_of: string;
  after?: string | undefined;
  limit: number;
}

/** Reads a workspace as of one time, for as long as MongoDB keeps the snapshot (`snapshotFind`). */
export function snapshotExport<Name extends string>(
  database: Pick<Database, 'db'>,
  sources: Record<Name, ExportSource>,
) {
  const find = snapshotFind(database);

  return {
    /** Returns the time, and the collections that then hold records of the workspace. */
    async begin(workspace_id: string): Promise<{ as_of: string; held: Name[] }> {
      let moment: Timestamp | undefined;
      const held = new Set<Name>();
      for (const [name, source] of Object.entries<ExportSource>(sources)) {
        const { collection, workspaceField = 'workspace_id', having = [{}] } = source;
        // One look-up per filter: for an `$or`, MongoDB uses no partial index.
        for (const one of having) {
          const filter = { [workspaceField]: workspace_id, ...one };
          const reply = await find({ find: collection, filter, limit: 1, projection: { _id: 1 } }, moment);
          moment = reply.asOf;
          if (reply.documents.length > 0) held.add(name as Name);
        }
      }
      return { as_of: String(moment), held: [...held] };
    },

    /** Returns the records of that time, a page at a time, as bytes of an `ExportPage`. */
    async read(page: ExportPageRequest<Name>): Promise<Buffer> {
      const { workspace_id, as_of, after: token, limit } = page;
      const source: ExportSource = sources[page.collection];
      const { collection, workspaceField = 'workspace_id', sort, projection, defaults } = source;
      const { documentsPerRow = 1, rows = (one) => [fromDocument(one as Stored<{ id: string }>, defaults)] } =
        source;
      const count = limit * documentsPerRow;
      const position = token === undefined ? null : (JSON.parse(token) as (string | number)[]);
      const command = {
        find: collection,
        filter: { [workspaceField]: workspace_id, ...(position && after(sort, position)) },
        sort: Object.fromEntries(sort),
        limit: count,
        // A page of large documents ends at 16 MiB, the limit of one reply.
        batchSize: count,
        ...(projection && { projection }),
      };
      const { documents } = await find(command, new Timestamp(BigInt(as_of)));
      const last = documents.at(-1);
      const next = last ? JSON.stringify(sort.map(([field]) => last[field] as unknown)) : null;
      return exportPageBody(documents.flatMap(rows), next);
    },
  };
}

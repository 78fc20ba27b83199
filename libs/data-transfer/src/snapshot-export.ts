import type { Database } from '@waymark/service-kit/store';
import { after, type RowOptions, type Sort, snapshotFind } from '@waymark/service-kit/store';
import { BSON, type Document, Timestamp } from 'mongodb';
import { exportPageBody, exportPageOf } from './export-page.ts';

/** Where the rows of one collection of an export come from. */
export interface ExportSource extends RowOptions {
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
 * changed since, for as long as MongoDB keeps it (`snapshotFind`).
 */
export function snapshotExport<Name extends string>(
  database: Pick<Database, 'db'>,
  sources: Record<Name, ExportSource>,
): {
  /** The moment, and which collections then have something of the workspace. As quick for a million records as for one. */
  begin(workspaceId: string): Promise<{ as_of: string; held: Name[] }>;
  /** An `ExportPage` as bytes. */
  read(page: ExportPageRequest<Name>): Promise<Buffer>;
} {
  const find = snapshotFind(database);

  /** Whether any document makes rows: one look-up for each filter, as for several in one MongoDB takes no partial index. */
  async function probe(
    { collection, having = [{}] }: ExportSource,
    workspace_id: string,
    asOf: Timestamp | undefined,
  ) {
    let moment = asOf;
    for (const one of having) {
      const filter = { workspace_id, ...one };
      const reply = await find({ find: collection, filter, limit: 1, projection: { _id: 1 } }, moment);
      moment = reply.asOf;
      if (reply.documents.length > 0) return { isHeld: true, moment };
    }
    return { isHeld: false, moment };
  }

  return {
    async begin(workspaceId) {
      let moment: Timestamp | undefined;
      const held: Name[] = [];
      for (const name of Object.keys(sources) as Name[]) {
        const probed = await probe(sources[name], workspaceId, moment);
        if (probed.isHeld) held.push(name);
        moment = probed.moment;
      }
      return { as_of: String(moment), held };
    },

    async read({ workspace_id, collection: name, as_of, after: token, limit }) {
      const {
        collection,
        sort,
        projection,
        rows,
        documentsPerRow = 1,
        ...rowOptions
      } = sources[name] as ExportSource;
      const count = limit * documentsPerRow;
      const position = token === undefined ? null : (JSON.parse(token) as (string | number)[]);
      const command = {
        find: collection,
        filter: { workspace_id, ...(position && after(sort, position)) },
        sort: Object.fromEntries(sort),
        limit: count,
        // A page of large documents ends where a reply of the store does, at 16 MiB.
        batchSize: count,
        ...(projection && { projection }),
      };
      const { documents } = await find(command, new Timestamp(BigInt(as_of)));
      const last = documents.length > 0 ? BSON.deserialize(documents.at(-1)!) : null;
      const next = last ? JSON.stringify(sort.map(([field]) => last[field] as unknown)) : null;
      if (!rows) return exportPageOf(documents, next, rowOptions);
      return exportPageBody(
        documents.flatMap((document) => rows(BSON.deserialize(document))),
        next,
      );
    },
  };
}

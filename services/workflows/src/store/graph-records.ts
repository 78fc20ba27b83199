import type { CursorCodec } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession, Collection, Filter, FindOptions } from 'mongodb';
import { type InWorkflow, type RecordChange, sortChanges } from '../records.ts';

interface AnyDocument {
  _id: string;
  workspace_id: string;
  workflow_id: string;
}
type AnyRecord = InWorkflow & { id: string };

/**
 * The operations that the collections of nodes and of edges share. `defaults` holds the values of fields that
 * documents may lack.
 */
export function graphRecordStore<T extends AnyRecord>(
  database: Database,
  cursors: CursorCodec,
  { name, defaults }: { name: string; defaults: Partial<T> },
) {
  const documents = database.collection<AnyDocument>(name);

  async function find(filter: Filter<AnyDocument>, options: FindOptions = {}): Promise<T[]> {
    const found = await documents.find<Stored<T>>(filter, options).toArray();
    return found.map((document) => fromDocument<T>(document, defaults));
  }

  return {
    find,

    async byId(id: string, session?: ClientSession): Promise<T | null> {
      const [found = null] = await find({ _id: id }, { ...(session && { session }) });
      return found;
    },

    /** Returns all records of a workflow, sorted by id. */
    all: ({ workspace_id, workflow_id }: InWorkflow, session: ClientSession): Promise<T[]> =>
      find({ workspace_id, workflow_id }, { session, sort: { _id: 1 } }),

    page({ workspace_id, workflow_id }: InWorkflow, page: PageRequest): Promise<KeysetPage<T>> {
      return keysetPage<T>({
        collection: documents as unknown as Collection<Stored<T>>,
        filter: { workspace_id, workflow_id } as Filter<Stored<T>>,
        sort: [['_id', 1]],
        page,
        cursors,
        scope: `${name}/${workflow_id}`,
        defaults,
      });
    },

    async removeAll({ workspace_id, workflow_id }: InWorkflow, session: ClientSession): Promise<void> {
      await documents.deleteMany({ workspace_id, workflow_id }, { session });
    },

    /** Deletes first, so that a new record can reuse the unique fields of a deleted one. */
    async apply(changes: readonly RecordChange<T>[], session: ClientSession): Promise<void> {
      const { created, updated, deleted } = sortChanges(changes);
      if (deleted.length > 0) {
        const ids = deleted.map(({ id }) => id);
        const { workspace_id } = deleted[0]!;
        await documents.deleteMany({ workspace_id, _id: { $in: ids } }, { session });
      }
      if (updated.length > 0) {
        const replacements = updated.map((record) => ({
          replaceOne: {
            filter: { workspace_id: record.workspace_id, _id: record.id },
            replacement: toDocument(record),
          },
        }));
        // The replacements are independent. Ordered writes take MongoDB two to three times as long.
        await documents.bulkWrite(replacements, { session, ordered: false });
      }
      if (created.length > 0) await documents.insertMany(created.map(toDocument<T>), { session });
    },
  };
}

import type { InputOf, Operations } from '@waymark/contracts';
import { type Database, type PageRequest, recordCollection, toDocument } from '@waymark/service-kit/store';
import type { ClientSession, Filter } from 'mongodb';
import { type InWorkflow, type RecordChange, sortChanges } from '../records.ts';

interface AnyDocument {
  _id: string;
  workspace_id: string;
  workflow_id: string;
  external_id?: string | null;
}
type ListFilters = Omit<InputOf<Operations['listAllNodes']>['query'], 'workspace_id' | 'cursor' | 'limit'>;
type AnyRecord = InWorkflow & { id: string };

const BY_WORKFLOW = [
  ['workflow_id', 1],
  ['_id', 1],
] as const;

const filterOf = ({ status, ...equal }: ListFilters) => ({
  ...equal,
  ...(status && { status: { $in: status } }),
});

export type GraphRecordStore<T extends AnyRecord> = Omit<ReturnType<typeof graphRecordStore<T>>, 'find'>;

export function graphRecordStore<T extends AnyRecord>(
  database: Database,
  name: string,
  defaults: Partial<T>,
) {
  const documents = database.collection<AnyDocument>(name);
  const records = recordCollection<T>(database, name, { defaults });
  type RecordFilter = Parameters<typeof records.find>[0];

  const find = (filter: Filter<AnyDocument>, options: Parameters<typeof records.find>[1] = {}) =>
    records.find(filter as RecordFilter, options);

  return {
    find,

    byId: records.byId,

    all: ({ workspace_id, workflow_id }: InWorkflow, session: ClientSession) =>
      find({ workspace_id, workflow_id }, { session, sort: { _id: 1 } }),

    /** The records of several workflows, with some of their fields. */
    fieldsIn: <F extends keyof T & string>(
      workspace_id: string,
      workflowIds: string[],
      fields: readonly F[],
    ) =>
      documents
        .find<Pick<T, F> & { _id: string }>(
          { workspace_id, workflow_id: { $in: workflowIds } },
          { projection: Object.fromEntries(['workflow_id', ...fields].map((field) => [field, 1])) },
        )
        .toArray(),

    page: ({ workspace_id, workflow_id }: InWorkflow, page: PageRequest) =>
      records.page({ workspace_id, workflow_id } as RecordFilter, 1, page, `${name}/${workflow_id}`),

    /** The records of all workflows that match, in the order of the index that one workflow needs, too. */
    pageOfWorkspace: (workspace_id: string, page: PageRequest, filters: ListFilters = {}) =>
      records.page(
        { workspace_id, ...filterOf(filters) } as RecordFilter,
        BY_WORKFLOW,
        page,
        JSON.stringify([name, workspace_id, filters]),
      ),

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
        const replacements = updated.map((record) => {
          const filter = { workspace_id: record.workspace_id, _id: record.id };
          return { replaceOne: { filter, replacement: toDocument(record) } };
        });
        // The replacements are independent. Ordered writes take MongoDB two to three times as long.
        await documents.bulkWrite(replacements, { session, ordered: false });
      }
      if (created.length > 0) await documents.insertMany(created.map(toDocument<T>), { session });
    },
  };
}

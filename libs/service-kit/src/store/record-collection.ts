import { limits } from '@waymark/contracts';
import type {
  ClientSession,
  Document,
  Filter,
  FindOptions,
  OptionalUnlessRequiredId,
  UpdateFilter,
} from 'mongodb';
import { type Database, fromDocument, type Stored, toDocument } from './database.ts';
import { after, type KeysetPage, type PageRequest, type Sort } from './keyset-page.ts';

/** The most that MongoDB looks for a page whose caller may have gone. */
const PAGE_MS = 30_000;

/** A transaction's session: every query of the transaction carries it. */
export type DatabaseSession = ClientSession;

export interface ReadOptions extends Pick<FindOptions, 'sort' | 'limit' | 'hint'> {
  session?: DatabaseSession | undefined;
}

/** Options with the session of a transaction, if there is one: the driver refuses an undefined one. */
export const inSession = (session: DatabaseSession | undefined) => (session ? { session } : {});

/**
 * Queries over the records of one collection. `defaults` are the values of fields that older documents lack,
 * `projection` has the fields to read (1), or to leave out (0); those that a page is sorted by must remain.
 */
export function recordCollection<T extends { id: string }>(
  database: Pick<Database, 'collection' | 'cursors'>,
  name: string,
  shown: { defaults?: Readonly<Partial<T>>; projection?: Record<string, 0> | Record<string, 1> } = {},
) {
  type RecordFilter = Filter<Stored<T>>;
  const { defaults, ...read } = shown;
  const collection = database.collection<Stored<T>>(name);
  const recordOf = (found: unknown) => fromDocument<T>(found as Stored<T>, defaults);

  // A sharded cluster finds a record by its workspace.
  const keyOf = ({ id: _id, workspace_id }: { id: string; workspace_id?: string }) =>
    ({ _id, ...(workspace_id !== undefined && { workspace_id }) }) as RecordFilter;

  async function find(filter: RecordFilter, { session, ...rest }: ReadOptions = {}): Promise<T[]> {
    const found = collection.find(filter, { ...read, ...rest, ...inSession(session) });
    return (await found.toArray()).map(recordOf);
  }

  async function findOne(filter: RecordFilter, session?: DatabaseSession): Promise<T | null> {
    const found = await collection.findOne(filter, { ...read, ...inSession(session) });
    return found && recordOf(found);
  }

  return {
    collection,
    recordOf,
    find,
    findOne,

    byId: (id: string, session?: DatabaseSession) => findOne({ _id: id } as RecordFilter, session),

    /** The first `limit` records of all workspaces with ids after `after`, in the order of their ids. */
    snapshot: (after: string, limit: number) =>
      find({ _id: { $gt: after } } as RecordFilter, { sort: { _id: 1 }, limit }),

    /** Returns a page, in the order of `sort` or of the ids; `scope` binds its cursor to this list. */
    async page(
      filter: RecordFilter,
      sort: Sort | 1 | -1,
      { cursor, limit = limits.pageSize, maxTimeMS = PAGE_MS }: PageRequest,
      scope: string,
    ): Promise<KeysetPage<T>> {
      const { cursors } = database;
      const order: Sort = typeof sort === 'number' ? [['_id', sort]] : sort;
      const rest =
        cursor === undefined ? filter : { $and: [filter, after(order, cursors.decode(scope, cursor))] };
      const cursorOfPage = collection
        .find(rest as RecordFilter, { ...read, maxTimeMS })
        .sort(Object.fromEntries(order))
        .limit(limit + 1)
        .batchSize(limit + 1);
      // The first batch has at most 16 MiB, so that a page of large records does not take all memory.
      await cursorOfPage.hasNext();
      const found = cursorOfPage.readBufferedDocuments();
      const isCut = cursorOfPage.id?.isZero() === false;
      await cursorOfPage.close();
      const data = found.slice(0, limit).map(recordOf);
      if (found.length <= limit && !isCut) return { data, next_cursor: null };
      const last: Document = found[data.length - 1]!;
      const position = order.map(([field]) => last[field] ?? null);
      return { data, next_cursor: cursors.encode(scope, position) };
    },

    count: (filter: RecordFilter, session?: DatabaseSession) =>
      collection.countDocuments(filter, inSession(session)),

    async insert(record: T, session: DatabaseSession): Promise<void> {
      await collection.insertOne(toDocument(record) as OptionalUnlessRequiredId<Stored<T>>, { session });
    },

    async replace(record: T, session: DatabaseSession): Promise<void> {
      await collection.replaceOne(keyOf(record), toDocument(record) as Stored<T>, { session });
    },

    async remove(record: { id: string; workspace_id?: string }, session: DatabaseSession): Promise<void> {
      await collection.deleteOne(keyOf(record), { session });
    },

    /** Updates one record and returns its new state; null when no record matches. */
    async findAndUpdate(filter: RecordFilter, update: UpdateFilter<Stored<T>>, session?: DatabaseSession) {
      const options = { ...read, ...inSession(session), returnDocument: 'after' } as const;
      const found = await collection.findOneAndUpdate(filter, update, options);
      return found && recordOf(found);
    },
  };
}

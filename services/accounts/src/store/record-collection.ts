import type { CursorCodec } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  keysetPage,
  type PageRequest,
  type Stored,
  type Transaction,
  toDocument,
} from '@waymark/service-kit/store';
import type { Filter, OptionalUnlessRequiredId, UpdateFilter } from 'mongodb';

/** A transaction's session: every query of the transaction carries it. */
export type DatabaseSession = Transaction['session'];

/** Queries over one collection. `defaults` are the values of fields that older documents lack. */
export function recordCollection<T extends { id: string }>(
  database: Database,
  name: string,
  defaults = {} as Readonly<Partial<T>>,
) {
  type RecordFilter = Filter<Stored<T>>;
  const collection = database.collection<Stored<T>>(name);
  const toRecord = (found: unknown) => fromDocument<T>(found as Stored<T>, defaults);
  const inSession = (session: DatabaseSession | undefined) => (session ? { session } : {});

  async function findOne(filter: RecordFilter, session?: DatabaseSession): Promise<T | null> {
    const found = await collection.findOne(filter, inSession(session));
    return found && toRecord(found);
  }

  return {
    collection,
    findOne,

    byId: (id: string, session?: DatabaseSession) => findOne({ _id: id } as RecordFilter, session),

    /** The records in the order of their ids: 1 for the oldest first, -1 for the newest first. */
    async find(filter: RecordFilter, direction: 1 | -1, session?: DatabaseSession, limit = 0): Promise<T[]> {
      const found = collection.find(filter, inSession(session)).sort({ _id: direction }).limit(limit);
      return (await found.toArray()).map(toRecord);
    },

    /** One page of the records in the order of their ids; `scope` binds its cursor to this list. */
    page(
      filter: RecordFilter,
      direction: 1 | -1,
      options: { page: PageRequest; cursors: CursorCodec; scope: string },
    ) {
      return keysetPage<T>({ collection, filter, sort: [['_id', direction]], ...options, defaults });
    },

    count: (filter: RecordFilter, session?: DatabaseSession) =>
      collection.countDocuments(filter, inSession(session)),

    async insert(record: T, session: DatabaseSession): Promise<void> {
      await collection.insertOne(toDocument(record) as OptionalUnlessRequiredId<Stored<T>>, { session });
    },

    /** Updates one record and returns its new state; null when no record matches. */
    async findAndUpdate(filter: RecordFilter, update: UpdateFilter<Stored<T>>, session: DatabaseSession) {
      const found = await collection.findOneAndUpdate(filter, update, { session, returnDocument: 'after' });
      return found && toRecord(found);
    },
  };
}

import type { CursorCodec } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  type Transaction,
  toDocument,
} from '@waymark/service-kit/store';
import type { Filter, OptionalUnlessRequiredId, Sort, UpdateFilter } from 'mongodb';

/** A transaction's session: every query of the transaction carries it. */
export type DatabaseSession = Transaction['session'];

/**
 * Queries over the records of one collection. A query without a session runs outside any transaction.
 * `defaults` are the values of fields that did not exist yet when a document was stored.
 */
export function recordCollection<T extends { id: string }>(
  database: Database,
  name: string,
  defaults?: Readonly<Partial<T>>,
) {
  const collection = database.collection<Stored<T>>(name);
  const toRecord = (found: unknown) => fromDocument<T>(found as Stored<T>, defaults);
  const inSession = (session: DatabaseSession | undefined) => (session ? { session } : {});

  async function findOne(filter: Filter<Stored<T>>, session?: DatabaseSession): Promise<T | null> {
    const found = await collection.findOne(filter, inSession(session));
    return found && toRecord(found);
  }

  return {
    collection,
    findOne,

    byId(id: string, session?: DatabaseSession): Promise<T | null> {
      return findOne({ _id: id } as Filter<Stored<T>>, session);
    },

    async find(
      filter: Filter<Stored<T>>,
      { sort = {}, session }: { sort?: Sort; session?: DatabaseSession | undefined } = {},
    ): Promise<T[]> {
      const found = await collection.find(filter, inSession(session)).sort(sort).toArray();
      return found.map(toRecord);
    },

    /** One page of the records in the order of their ids; `scope` binds its cursor to this list. */
    page(
      filter: Filter<Stored<T>>,
      direction: 1 | -1,
      options: { page: PageRequest; cursors: CursorCodec; scope: string },
    ): Promise<KeysetPage<T>> {
      return keysetPage<T>({
        collection,
        filter,
        sort: [['_id', direction]],
        ...options,
        ...(defaults && { defaults }),
      });
    },

    count(filter: Filter<Stored<T>>, session?: DatabaseSession): Promise<number> {
      return collection.countDocuments(filter, inSession(session));
    },

    async insert(record: T, session: DatabaseSession): Promise<void> {
      await collection.insertOne(toDocument(record) as OptionalUnlessRequiredId<Stored<T>>, { session });
    },

    /** Updates one record and returns its new state; null when no record matches. */
    async findAndUpdate(
      filter: Filter<Stored<T>>,
      update: UpdateFilter<Stored<T>>,
      session: DatabaseSession,
    ): Promise<T | null> {
      const found = await collection.findOneAndUpdate(filter, update, { session, returnDocument: 'after' });
      return found && toRecord(found);
    },
  };
}

import { ApiError } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  isDuplicate,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import { type DatabaseSession, inSession } from './in-session.ts';

export interface UserRecord {
  id: string;
  /** Lower-cased. */
  email: string;
  name: string;
  /** Null for who signs in by single sign-on alone. */
  password_hash: string | null;
  /** Rises with everything the user does to the account, so that such transactions take turns. */
  revision: number;
  created_at: string;
  updated_at: string;
}

const USERS = 'users';
export const userIndexes: Indexes = { [USERS]: [{ key: { email: 1 }, unique: true }] };

export function userStore(database: Database) {
  const users = database.collection<Stored<UserRecord>>(USERS);
  return {
    async byId(id: string, session?: DatabaseSession): Promise<UserRecord | null> {
      const found = await users.findOne({ _id: id }, inSession(session));
      return found && fromDocument<UserRecord>(found);
    },

    async byEmail(email: string, session?: DatabaseSession): Promise<UserRecord | null> {
      const found = await users.findOne({ email }, inSession(session));
      return found && fromDocument<UserRecord>(found);
    },

    async byIds(ids: string[]): Promise<Map<string, UserRecord>> {
      const found = await users.find({ _id: { $in: ids } }).toArray();
      return new Map(found.map((document) => [document._id, fromDocument<UserRecord>(document)]));
    },

    /** Throws CONFLICT when the email is taken. */
    async insert(user: UserRecord, session: DatabaseSession): Promise<void> {
      try {
        await users.insertOne(toDocument(user), { session });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        throw emailTaken();
      }
    },

    /** Raises the revision, if the user is there and `expected` still holds; null otherwise. */
    async raise(
      id: string,
      session: DatabaseSession,
      { expected = {}, set = {} }: { expected?: Partial<UserRecord>; set?: Partial<UserRecord> } = {},
    ): Promise<UserRecord | null> {
      const change = { $inc: { revision: 1 }, ...(Object.keys(set).length > 0 && { $set: set }) };
      const options = { session, returnDocument: 'after' } as const;
      const found = await users.findOneAndUpdate({ ...expected, _id: id }, change, options);
      return found && fromDocument<UserRecord>(found);
    },
  };
}

export function emailTaken(): ApiError {
  return new ApiError('CONFLICT', { message: 'This email is taken; sign in, or sign up with another one.' });
}

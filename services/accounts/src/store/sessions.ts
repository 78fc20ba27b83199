import {
  type Database,
  fromDocument,
  type Indexes,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import { type DatabaseSession, inSession } from './in-session.ts';

export interface SessionRecord {
  id: string;
  user_id: string;
  /** SHA-256 of the cookie's token; the token itself is nowhere. */
  token_hash: string;
  ip: string | null;
  user_agent: string | null;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  ended_at: string | null;
  version: number;
  /** When MongoDB may drop the record: a day after the session can be used no more. */
  remove_at: Date;
}

const SESSIONS = 'sessions';
const REMOVE_AFTER_MS = 86_400_000;

export const sessionIndexes: Indexes = {
  [SESSIONS]: [
    { key: { token_hash: 1 }, unique: true },
    { key: { user_id: 1, _id: -1 } },
    { key: { remove_at: 1 }, expireAfterSeconds: 0 },
  ],
};

/**
 * An ended session stays a day: with its raised version it proves to a cache that asks again that the answer is
 * newer than the announcement.
 */
export const removalDate = (expiresAt: string) => new Date(Date.parse(expiresAt) + REMOVE_AFTER_MS);

export function sessionStore(database: Database) {
  const sessions = database.collection<Stored<SessionRecord>>(SESSIONS);
  return {
    async byTokenHash(tokenHash: string): Promise<SessionRecord | null> {
      const found = await sessions.findOne({ token_hash: tokenHash });
      return found && fromDocument<SessionRecord>(found);
    },

    /** The user's usable sessions, newest first. */
    async activeOf(userId: string, now: string, session?: DatabaseSession): Promise<SessionRecord[]> {
      const found = await sessions
        .find({ user_id: userId, ended_at: null, expires_at: { $gt: now } }, inSession(session))
        .sort({ _id: -1 })
        .toArray();
      return found.map((document) => fromDocument<SessionRecord>(document));
    },

    async insert(record: SessionRecord, session: DatabaseSession): Promise<void> {
      await sessions.insertOne(toDocument(record), { session });
    },

    async end(ids: string[], now: string, session: DatabaseSession): Promise<void> {
      const change = { $set: { ended_at: now }, $inc: { version: 1 } };
      await sessions.updateMany({ _id: { $in: ids }, ended_at: null }, change, { session });
    },

    /** Drops what tells from where a user's sessions came. */
    async forgetClients(userId: string, session: DatabaseSession): Promise<void> {
      await sessions.updateMany({ user_id: userId }, { $set: { ip: null, user_agent: null } }, { session });
    },

    /** Notes that the session is in use; never moves anything back. */
    async slide(id: string, seen: { last_seen_at: string; expires_at: string }): Promise<void> {
      const change = { $max: { ...seen, remove_at: removalDate(seen.expires_at) } };
      await sessions.updateOne({ _id: id, ended_at: null }, change);
    },
  };
}

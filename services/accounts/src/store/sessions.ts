import type { Session } from '@waymark/contracts';
import { type Database, type DatabaseSession, recordCollection } from '@waymark/service-kit/store';

/** The factor that opened a session beside a password. A provider states whether it asked for one. */
export type SecondFactor = 'passkey' | 'totp' | 'provider';

export interface SessionRecord extends Omit<Session, 'current'> {
  user_id: string;
  /** SHA-256 of the cookie's token; the token itself is not stored. */
  token_hash: string;
  ended_at: string | null;
  second_factor: SecondFactor | null;
  version: number;
  /** When MongoDB may remove the record: a day after the session has expired. */
  remove_at: Date;
}

const REMOVE_AFTER_MS = 86_400_000;

/**
 * Keeps an ended session for a day: its version, which is higher by then, proves to a cache that the look-up
 * is newer than the announcement that made the cache look it up.
 */
export const removalDate = (expiresAt: string) => new Date(Date.parse(expiresAt) + REMOVE_AFTER_MS);

export function sessionStore(database: Database) {
  const sessions = recordCollection<SessionRecord>(database, 'sessions', {
    defaults: { second_factor: null },
  });
  return {
    insert: sessions.insert,
    byId: sessions.byId,

    byTokenHash: (tokenHash: string, session?: DatabaseSession) =>
      sessions.findOne({ token_hash: tokenHash }, session),

    /** The user's sessions that have neither ended nor expired, newest first. */
    activeOf: (userId: string, now: string, session?: DatabaseSession) =>
      sessions.find(
        { user_id: userId, ended_at: null, expires_at: { $gt: now } },
        { sort: { _id: -1 }, session },
      ),

    async end(ids: string[], now: string, session: DatabaseSession): Promise<void> {
      const change = { $set: { ended_at: now }, $inc: { version: 1 } };
      await sessions.collection.updateMany({ _id: { $in: ids }, ended_at: null }, change, { session });
    },

    async setSecondFactor(id: string, second_factor: SecondFactor | null, session: DatabaseSession) {
      const change = { $set: { second_factor }, $inc: { version: 1 } };
      await sessions.collection.updateOne({ _id: id }, change, { session });
    },

    async forgetClients(userId: string, session: DatabaseSession): Promise<void> {
      const change = { $set: { ip: null, user_agent: null } };
      await sessions.collection.updateMany({ user_id: userId }, change, { session });
    },

    /** Extends a session that is in use; never moves a time backwards. */
    async extend(id: string, seen: { last_seen_at: string; expires_at: string }): Promise<void> {
      const change = { $max: { ...seen, remove_at: removalDate(seen.expires_at) } };
      await sessions.collection.updateOne({ _id: id, ended_at: null }, change);
    },
  };
}

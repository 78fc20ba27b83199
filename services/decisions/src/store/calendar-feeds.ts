import { type CalendarFeed, newId } from '@waymark/contracts';
import { type Database, recordCollection } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { CALENDAR_FEEDS } from './collections.ts';

/** A user's feed of a workspace. */
export interface FeedRecord extends CalendarFeed {
  token_hash: string;
  /** When the membership began in which the feed was made, by the clock of accounts. */
  member_since: string | null;
  /** When the user had last changed the password, by the clock of accounts. */
  password_changed_at?: string | null;
  version: number;
}

export function calendarFeedStore(database: Database) {
  const { collection: feeds, findOne, recordOf } = recordCollection<FeedRecord>(database, CALENDAR_FEEDS);
  return {
    byTokenHash: (token_hash: string) => findOne({ token_hash }),

    of: (workspace_id: string, user_id: string) => findOne({ workspace_id, user_id }),

    /** Stores a user's only feed of a workspace, in place of an earlier one. */
    async put(
      { workspace_id, user_id, ...made }: Omit<FeedRecord, 'id' | 'version'>,
      session: ClientSession,
    ): Promise<FeedRecord> {
      const stored = await feeds.findOneAndUpdate(
        { workspace_id, user_id },
        { $set: made, $inc: { version: 1 }, $setOnInsert: { _id: newId() } },
        { upsert: true, returnDocument: 'after', session },
      );
      return recordOf(stored);
    },

    /** Returns the removed feed; null when there is none. */
    async remove(workspace_id: string, user_id: string, session: ClientSession): Promise<FeedRecord | null> {
      const removed = await feeds.findOneAndDelete({ workspace_id, user_id }, { session });
      return removed && recordOf(removed);
    },
  };
}

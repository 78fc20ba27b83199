import { type Database, recordCollection } from '@waymark/service-kit/store';
import { type NotificationRecord, notificationDefaults } from '../records.ts';
import { NOTIFICATIONS, REMOVED } from './collections.ts';

/** The notifications that are to be mailed: first `mail_at` says so, then `digest_at` for a daily mail. */
export function toMailStore(database: Database) {
  const { collection, find } = recordCollection<NotificationRecord>(database, NOTIFICATIONS, {
    defaults: notificationDefaults,
  });
  // The indexes are partial: with what has a time only.
  const until = (now: string) => ({ $lte: now, $type: 'string' as const });
  const snoozed = (now: string) => ({ $gt: now, $lt: REMOVED });
  const waiting = (now: string) => ({ mail_at: until(now), listed_at: { $not: snoozed(now) } });

  return {
    /** Notifications whose mail is not decided yet, the oldest first, without snoozed ones. */
    undecided: (now: string, limit: number) => find(waiting(now), { sort: { mail_at: 1 }, limit }),

    /** Since when the oldest waits to be handed over; null without one. */
    async oldest(now: string): Promise<string | null> {
      const [first] = await find(waiting(now), { sort: { mail_at: 1 }, limit: 1 });
      const [daily] = await find({ digest_at: until(now) }, { sort: { digest_at: 1 }, limit: 1 });
      return [first?.mail_at, daily?.digest_at].filter((at) => at != null).sort()[0] ?? null;
    },

    /**
     * Decides what becomes of those that still wait at `now`: another decision at `mail_at`, the daily mail
     * of `digest_at`, or no mail. Accounts may have given back some of what was handed over.
     */
    async decide(
      ids: string[],
      now: string,
      times: Pick<NotificationRecord, 'mail_at' | 'digest_at'>,
    ): Promise<void> {
      const waits = { _id: { $in: ids }, mail_at: until(now) };
      if (ids.length > 0) await collection.updateMany(waits, { $set: times });
    },

    /** All that waits of a person waits until `mail_at`. */
    async postpone(user_id: string, now: string, mail_at: string): Promise<void> {
      await collection.updateMany({ user_id, mail_at: until(now) }, { $set: { mail_at } });
    },

    /** Somebody whose daily mail is due; null without one. */
    async nextReader(now: string): Promise<string | null> {
      const found = await collection.findOne({ digest_at: until(now) }, { sort: { digest_at: 1 } });
      return found?.user_id ?? null;
    },

    /** The newest of a due daily mail, and how many more are unread. */
    async digest(user_id: string, now: string, limit: number) {
      const due = { user_id, digest_at: until(now), read_at: null, listed_at: { $lte: now } };
      const options = { sort: { _id: -1 }, limit, projection: { _id: 1 } } as const;
      const found = await collection.find(due, options).toArray();
      const more = (await collection.countDocuments(due)) - found.length;
      return { notification_ids: found.map(({ _id }) => _id), more };
    },

    /** Ends a daily mail. Snoozed notifications wait for the one at `next`. */
    async endDigest(user_id: string, now: string, next: string): Promise<void> {
      const due = { user_id, digest_at: until(now) };
      await collection.updateMany({ ...due, listed_at: snoozed(now) }, { $set: { digest_at: next } });
      await collection.updateMany(due, { $set: { digest_at: null } });
    },

    /** Moves the notifications that wait for the next daily mail to another morning. */
    async moveDigest(user_id: string, digest_at: string): Promise<void> {
      await collection.updateMany({ user_id, digest_at: { $type: 'string' } }, { $set: { digest_at } });
    },

    /** Decides from `mail_at` on, at the end of their snooze, how they are mailed. */
    async awaitSnooze(ids: string[], mail_at: string): Promise<void> {
      const $set = { mail_at, digest_at: null };
      if (ids.length > 0) await collection.updateMany({ _id: { $in: ids } }, { $set });
    },

    /** Returns the notifications among `ids` that were not read, also snoozed ones, oldest first. */
    unread(user_id: string, workspaceIds: string[], ids: string[]) {
      const own = { user_id, workspace_id: { $in: workspaceIds }, _id: { $in: ids } };
      return find({ ...own, read_at: null, listed_at: { $lt: REMOVED } }, { sort: { _id: 1 } });
    },
  };
}

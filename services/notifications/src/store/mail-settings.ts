import type { MailSettings, Unsubscribed } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import { ofAdmins } from '../records.ts';
import { MAIL_SETTINGS } from './collections.ts';

/** Of a person who has chosen nothing: what waits for them at once, changes of watched records never. */
const STANDARD: MailSettings = {
  time_zone: null,
  at_once: ['mention', 'assignment', 'approval_requested'],
  daily: ['reply', 'outcome_overdue', 'review_due', 'import_finished', ...ofAdmins],
};

export function mailSettingsStore(database: Database) {
  const collection = database.collection<MailSettings & { _id: string }>(MAIL_SETTINGS);
  const begin = (userId: string) =>
    collection.updateOne({ _id: userId }, { $setOnInsert: STANDARD }, { upsert: true });

  return {
    of: async (userId: string): Promise<MailSettings> =>
      (await collection.findOne({ _id: userId }, { projection: { _id: 0 } })) ?? STANDARD,

    async put(userId: string, settings: MailSettings): Promise<void> {
      await collection.replaceOne({ _id: userId }, settings, { upsert: true });
    },

    /** Takes the time zone of a person who has none; returns whether the person had none. */
    async takeTimeZone(userId: string, time_zone: string): Promise<boolean> {
      if ((await this.of(userId)).time_zone !== null) return false;
      await begin(userId);
      const none = { _id: userId, time_zone: null };
      return (await collection.updateOne(none, { $set: { time_zone } })).matchedCount > 0;
    },

    async stop(userId: string, unsubscribed: Unsubscribed): Promise<void> {
      await begin(userId);
      const change =
        unsubscribed === 'daily'
          ? { $set: { daily: [] } }
          : { $pull: { at_once: unsubscribed, daily: unsubscribed } };
      await collection.updateOne({ _id: userId }, change);
    },
  };
}

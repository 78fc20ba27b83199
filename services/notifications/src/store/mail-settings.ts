import type { MailSettings, Unsubscribed } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import { ofAdmins } from '../records.ts';
import { MAIL_SETTINGS } from './collections.ts';

/** Where a person has chosen nothing: what waits for them at once, changes of watched records never. */
const STANDARD: MailSettings = {
  time_zone: null,
  at_once: ['mention', 'assignment', 'approval_requested', 'approval_voided', 'key_expiring'],
  daily: ['reply', 'outcome_overdue', 'review_due', 'import_finished', ...ofAdmins],
};
/** The `revision` is that of the person's subscriptions. */
const projection = { _id: 0, revision: 0 } as const;
const PUT = { upsert: true, returnDocument: 'after', projection } as const;

export function mailSettingsStore(database: Database) {
  const collection = database.collection<Partial<MailSettings> & { _id: string }>(MAIL_SETTINGS);

  return {
    of: async (userId: string): Promise<MailSettings> => ({
      ...STANDARD,
      ...(await collection.findOne({ _id: userId }, { projection })),
    }),

    put: async (userId: string, settings: Partial<MailSettings>): Promise<MailSettings> => ({
      ...STANDARD,
      ...(await collection.findOneAndUpdate({ _id: userId }, { $set: settings }, PUT)),
    }),

    async stop(userId: string, unsubscribed: Unsubscribed): Promise<void> {
      const without = (list: 'at_once' | 'daily') => {
        const input = { $ifNull: [`$${list}`, STANDARD[list]] };
        return { $filter: { input, cond: { $ne: ['$$this', unsubscribed] } } };
      };
      const $set =
        unsubscribed === 'daily' ? { daily: [] } : { at_once: without('at_once'), daily: without('daily') };
      await collection.updateOne({ _id: userId }, [{ $set }], { upsert: true });
    },
  };
}

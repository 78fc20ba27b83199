import { newId } from '@waymark/contracts';
import {
  type Database,
  type DatabaseSession,
  inSession,
  type Lease,
  leaseFree,
  leaseHeldBy,
  leaseReleased,
  leaseTaken,
} from '@waymark/service-kit/store';

/** A change of a factor that a user signs in with. */
export type FactorChange =
  | 'password_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'totp_added'
  | 'totp_removed';

/** The subject of a mail. The text is written when the mail is sent, so that the queue holds no link. */
export type MailTopic =
  | { kind: 'password_reset' | FactorChange }
  | { kind: 'email_changed'; user_id: string }
  | { kind: 'email_change'; user_id: string; password_changed_at: string | null }
  | { kind: 'invitation'; invitation_id: string; workspace_id: string }
  | NotificationTopic;

export interface NotificationTopic {
  kind: 'notification' | 'daily';
  user_id: string;
  notification_ids: string[];
  more?: number | undefined;
}

/** Sent first: somebody waits for these. */
const URGENT = new Set<MailTopic['kind']>(['password_reset', 'email_change']);

/** A mail that waits to be sent. The `_id` is part of its Message-ID. */
export type Mail = MailTopic & {
  _id: string;
  to: string;
  is_urgent: boolean;
  created_at: string;
  due_at: string;
  /** Attempts so far, with the one under way. */
  attempts: number;
  remove_at: Date;
  lease?: Lease;
};

/** Longer than an attempt takes with all its timeouts. */
const LEASE_MS = 300_000;
/** No outage of the mail server that is shorter loses a mail. */
const KEPT_MS = 7 * 86_400_000;

export function mailStore(database: Database) {
  const mails = database.collection<Mail>('mails');
  const mailed = database.collection<{ _id: string; remove_at: Date }>('mailed_notifications');
  return {
    /** Adds a mail in the transaction of the change that causes it. */
    async insert(topic: MailTopic, to: string, nowMs: number, session: DatabaseSession): Promise<void> {
      const now = new Date(nowMs).toISOString();
      const remove_at = new Date(nowMs + KEPT_MS);
      const is_urgent = URGENT.has(topic.kind);
      const times = { created_at: now, due_at: now, remove_at };
      await mails.insertOne({ ...topic, _id: newId(), to, is_urgent, ...times, attempts: 0 }, { session });
    },

    /** Returns those notifications that no mail contains so far. */
    async neverMailed(ids: string[], session?: DatabaseSession): Promise<string[]> {
      const known = await mailed.find({ _id: { $in: ids } }, inSession(session)).toArray();
      return ids.filter((id) => !known.some(({ _id }) => _id === id));
    },

    /** The same, and takes them for a mail: of two at once, one runs again. */
    async takeNotifications(ids: string[], nowMs: number, session: DatabaseSession): Promise<string[]> {
      const fresh = await this.neverMailed(ids, session);
      const remove_at = new Date(nowMs + KEPT_MS);
      const taken = fresh.map((_id) => ({ _id, remove_at }));
      if (taken.length > 0) await mailed.insertMany(taken, { session });
      return fresh;
    },

    /** Takes notifications out of a mail. They may be handed over again. */
    async giveBack({ _id }: Pick<Mail, '_id'>, ids: string[], session: DatabaseSession): Promise<void> {
      await mails.updateOne({ _id }, { $pull: { notification_ids: { $in: ids } } }, { session });
      await mailed.deleteMany({ _id: { $in: ids } }, { session });
    },

    /** Leases the next due mail; null when there is none. */
    claim(now: string) {
      const claimed = leaseTaken<Mail>(newId(), LEASE_MS, { $inc: { attempts: 1 } });
      const options = { sort: { is_urgent: -1, due_at: 1 }, returnDocument: 'after' } as const;
      return mails.findOneAndUpdate({ due_at: { $lte: now }, ...leaseFree() }, claimed, options);
    },

    async postpone({ _id, lease }: Mail, due_at: string): Promise<void> {
      const released = leaseReleased<Mail>({ $set: { due_at } as Partial<Mail> });
      await mails.updateOne({ _id, ...leaseHeldBy(lease!.owner) }, released);
    },

    async remove({ _id }: Mail): Promise<void> {
      await mails.deleteOne({ _id });
    },

    /** When the mail that has waited longest was queued; null without one. */
    async oldest(): Promise<string | null> {
      const mail = await mails.findOne({}, { sort: { created_at: 1 }, projection: { created_at: 1 } });
      return mail?.created_at ?? null;
    },

    /** Removes the mails to a user's addresses, also to one that the user has not confirmed. */
    async forget(user_id: string, addresses: string[], session: DatabaseSession): Promise<void> {
      await mails.deleteMany({ $or: [{ to: { $in: addresses } }, { user_id }] }, { session });
    },
  };
}

import type { Notification, NotificationKind, Subscription } from '@waymark/contracts';

/** A notification as it is stored; the title is that of its record when it is read. */
export interface NotificationRecord extends Omit<Notification, 'title'> {
  user_id: string;
  /** Names the notification, together with the person. */
  cause: string;
  /** The name of a record that has no events, such as an endpoint. */
  title: string | null;
  /** The place in the inbox: its creation, or the end of its last snooze; REMOVED for none. */
  listed_at: string;
  /** Since when it waits for the decision how it is mailed; null after that. */
  mail_at: string | null;
  /** The morning of the daily mail that it waits for; null without one. */
  digest_at: string | null;
  expires_at: Date;
}

/** The defaults of fields that older documents lack. */
export const notificationDefaults = { key_expires_at: null };

/** The title and the workflow are those that the record has when it is read. */
export type StoredSubscription = Omit<Subscription, 'title' | 'workflow_id'>;

export interface SubscriptionRecord extends StoredSubscription {
  id: string;
  user_id: string;
  put_at: string;
  /** Set while the record is in the trash. */
  expires_at?: Date;
}

/** The kinds that only admins are told of. */
export const ofAdmins: readonly NotificationKind[] = ['endpoint_failing', 'endpoint_disabled'];

/** The dates of a decision that have an end; each is told once. */
export type DueKind = Extract<NotificationKind, 'outcome_overdue' | 'review_due'>;

/** The known facts of a decision, workflow or node. Each notification about it changes this document. */
export interface SubjectRecord {
  id: string;
  workspace_id: string;
  type: 'decision' | 'workflow' | 'node';
  title: string | null;
  workflow_id: string | null;
  /** The newest version whose event was handled; 0 for a record that only a message has named. */
  version: number;
  /** The version of its last deletion; 0 for none. */
  deleted_version: number;
  /** Who has the node to do, or is named in the decision; null before an event has said it. */
  assigned: string[] | null;
  /** The people among `assigned` who were told. */
  assigned_told: string[];
  /** Whom the dates of a decision concern. */
  responsible: string[];
  /** The dates that are still to be told. */
  due: Partial<Record<DueKind, string>>;
  next_due_at: string | null;
  /** The thread that `participants` take part in: its messages began after this deletion of the record. */
  generation: number;
  /** The place of each user's first message in the thread. */
  participants: Record<string, string>;
  revision: number;
}

/** A message, without its content. */
export interface MessageRecord {
  id: string;
  workspace_id: string;
  subject_id: string;
  generation: number;
  /** The time and id of the message, which order those of a thread. */
  place: string;
  author_id: string | null;
  author: Notification['actor'];
  excerpt: string;
  version: number;
  is_deleted: boolean;
}

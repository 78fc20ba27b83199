import { z } from 'zod';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { example } from '../schema/fields.ts';
import {
  component,
  count,
  dateTime,
  idText,
  included,
  integer,
  nextCursor,
  text,
  time,
  uuid,
} from '../schema/types.ts';
import { Author } from './audit.ts';

/** Why a person is told of something. */
export const notificationKinds = [
  'mention',
  'reply',
  'assignment',
  'change',
  'approval_requested',
  'approval_voided',
  'outcome_overdue',
  'review_due',
  'import_finished',
  'key_expiring',
  'endpoint_failing',
  'endpoint_disabled',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The records that a person can watch or mute; a workspace stands for all of its records. */
export const watchedTypes = ['workspace', 'decision', 'workflow', 'node'] as const;
export type WatchedType = (typeof watchedTypes)[number];

export const Notification = component('Notification', {
  id: uuid(),
  workspace_id: uuid(),
  kind: z.enum(notificationKinds),
  record_type: z.enum([...watchedTypes, 'import', 'api_key', 'webhook']),
  record_id: idText('What it is about: the decision or node of a message, for example'),
  workflow_id: uuid().nullable().describe('The workflow of a node'),
  message_id: uuid().nullable().describe('The message of a mention or a reply'),
  title: z.string().nullable().describe('The title or name of the record as it is now; null if unknown'),
  excerpt: z
    .string()
    .nullable()
    .describe(
      `The first ${limits.notificationExcerptCharacters} characters of the message, without Markdown syntax; for an API key, how it begins`,
    ),
  key_expires_at: time().nullable().describe('When the API key expires; null for every other kind'),
  actor: Author.nullable().describe('Who caused it; null for a date that has come'),
  created_at: time(),
  read_at: time().nullable(),
  snoozed_until: time().nullable().describe('It is not listed before this time'),
});
export type Notification = z.output<typeof Notification>;

const timeZone = () => example(text(64, 1), 'Europe/Berlin');
const unreadCount = () =>
  integer()
    .min(0)
    .max(limits.countedNotifications)
    .describe(
      `Of all your workspaces, or of the one in the query; counted up to ${limits.countedNotifications}`,
    );

export const NotificationList = component('NotificationList', {
  data: z.array(Notification),
  next_cursor: nextCursor(),
  unread_count: unreadCount(),
  time_zone: timeZone().nullable().describe('That of your daily mail; null until there is one'),
});

export const NotificationUpdate = body({
  is_read: z.boolean().optional().describe('Whether it is read; false makes it unread again'),
  snoozed_until: dateTime()
    .nullable()
    .optional()
    .describe('Hides it until then, when it is unread again; null shows it at once'),
}).meta({ id: 'NotificationUpdate', description: 'Absent fields stay as they are' });
export type NotificationUpdate = z.output<typeof NotificationUpdate>;

export const NotificationsRead = body({
  workspace_id: uuid().optional().describe('By default all workspaces'),
  up_to: dateTime()
    .optional()
    .describe('Only notifications created until then; by default all that are listed'),
}).meta({ id: 'NotificationsRead' });
export type NotificationsRead = z.output<typeof NotificationsRead>;

export const ReadNotifications = component('ReadNotifications', {
  read: count().describe('How many were unread'),
  unread_count: unreadCount(),
});

const isTimeZone = (zone: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
};
const kinds = (description: string) =>
  z.array(z.enum(notificationKinds)).max(notificationKinds.length).describe(description);
const mailedAs = {
  at_once: kinds('The kinds with a mail each'),
  daily: kinds('The kinds in the daily mail; a kind in neither list is not mailed'),
};
export const MailSettings = component('MailSettings', 'Of which notifications a person gets mail', {
  time_zone: timeZone().nullable().describe('Of the daily mail, at 08:00; null, until there is one, is UTC'),
  ...mailedAs,
});
export type MailSettings = z.output<typeof MailSettings>;
export const MailSettingsPut = body({
  time_zone: timeZone()
    .refine(isTimeZone, { error: 'must be the name of a time zone, such as Europe/Berlin' })
    .describe('The time zone of the daily mail, at 08:00'),
  at_once: mailedAs.at_once.optional(),
  daily: mailedAs.daily.optional(),
}).meta({ id: 'MailSettingsPut', description: 'A list that is absent stays as it is' });
export type MailSettingsPut = z.output<typeof MailSettingsPut>;

/** The mails that a link unsubscribes from: those of a kind, or the daily mail. */
export const Unsubscribed = z.enum([...notificationKinds, 'daily']);
export type Unsubscribed = z.output<typeof Unsubscribed>;

export const subscriptionLevels = ['watch', 'mute'] as const;
const level = () =>
  z
    .enum(subscriptionLevels)
    .describe(
      'watch: told of every change and message; mute: told of nothing. A record wins over its workspace',
    );

export const SubscriptionPut = body({
  workspace_id: uuid().describe('The id of the workspace that has the record'),
  record_type: z.enum(watchedTypes).describe('What the record is; workspace stands for all of its records'),
  level: level(),
}).meta({ id: 'SubscriptionPut' });
export type SubscriptionPut = z.output<typeof SubscriptionPut>;

export const Subscription = component('Subscription', {
  workspace_id: uuid(),
  record_type: z.enum(watchedTypes),
  record_id: uuid(),
  workflow_id: uuid().nullable().describe('The workflow of a node'),
  title: z
    .string()
    .nullable()
    .describe('The title of the record as it is now; null of a workspace, and until an event has told it'),
  level: level(),
});
export type Subscription = z.output<typeof Subscription>;

export const NotificationListWithParts = NotificationList.extend({
  included: included({ subscriptions: z.array(Subscription.pick({ record_id: true, level: true })) }),
}).meta({ id: 'NotificationListWithParts' });

export const MailSettingsWithParts = MailSettings.extend({
  included: included({ subscriptions: z.array(Subscription) }),
}).meta({ id: 'MailSettingsWithParts' });

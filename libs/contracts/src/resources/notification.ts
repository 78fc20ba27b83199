import { z } from 'zod';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { component, count, dateTime, idText, integer, nextCursor, time, uuid } from '../schema/types.ts';
import { Author } from './audit.ts';

/** Why a person is told of something. */
export const notificationKinds = [
  'mention',
  'reply',
  'assignment',
  'change',
  'approval_requested',
  'outcome_overdue',
  'review_due',
  'import_finished',
  'key_expiring',
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
    .describe(`The first ${limits.notificationExcerptCharacters} characters of the message`),
  actor: Author.nullable().describe('Who caused it; null for a date that has come'),
  created_at: time(),
  read_at: time().nullable(),
  snoozed_until: time().nullable().describe('It is not listed before this time'),
});
export type Notification = z.output<typeof Notification>;

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
});

export const NotificationUpdate = body({
  is_read: z.boolean().optional(),
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

export const subscriptionLevels = ['watch', 'mute'] as const;
const level = () =>
  z
    .enum(subscriptionLevels)
    .describe(
      'watch: told of every change and message; mute: told of nothing. A record wins over its workspace',
    );

export const SubscriptionPut = body({
  workspace_id: uuid(),
  record_type: z.enum(watchedTypes),
  level: level(),
}).meta({ id: 'SubscriptionPut' });
export type SubscriptionPut = z.output<typeof SubscriptionPut>;

export const Subscription = component('Subscription', {
  workspace_id: uuid(),
  record_type: z.enum(watchedTypes),
  record_id: uuid(),
  level: level(),
});
export type Subscription = z.output<typeof Subscription>;

import { z } from 'zod';
import * as notification from '../resources/notification.ts';
import { query } from '../schema/body.ts';
import { flag, pageQuery, parts, uuid } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { SELF_READ, SELF_WRITE } from './presets.ts';

const ofWatched = {
  ...SELF_WRITE,
  params: { id: uuid().describe('The id of the record or workspace') },
} as const;
const ofWorkspace = { workspace_id: uuid().optional().describe('Only of this workspace') };

/** A person's own inbox. None is audited: it is no change of a workspace. */
export const notificationOperations = operationTable('notifications', {
  listNotifications: {
    route: 'GET /notifications',
    summary: 'What you were told, newest first: mentions, replies, assignments and what waits for you',
    ...SELF_READ,
    query: query({
      ...ofWorkspace,
      unread: flag().optional().describe('Only unread ones'),
      include: parts(['subscriptions']),
      ...pageQuery,
    }),
    response: { status: 200, schema: notification.NotificationListWithParts },
  },
  updateNotification: {
    route: 'PATCH /notifications/{id}',
    summary: 'Mark a notification as read or unread, or snooze it',
    ...SELF_WRITE,
    body: notification.NotificationUpdate,
    response: { status: 200, schema: notification.Notification },
  },
  readNotifications: {
    route: 'POST /notifications/read',
    summary: 'Mark all notifications as read, or those of a workspace or until a time',
    ...SELF_WRITE,
    body: notification.NotificationsRead,
    response: { status: 200, schema: notification.ReadNotifications },
  },
  getMailSettings: {
    route: 'GET /notifications/mail-settings',
    summary: 'Of which notifications you get mail, at once or in a daily one',
    ...SELF_READ,
    query: query({ include: parts(['subscriptions']) }),
    response: { status: 200, schema: notification.MailSettingsWithParts },
  },
  putMailSettings: {
    route: 'PUT /notifications/mail-settings',
    summary: 'Choose of which notifications you get mail',
    ...SELF_WRITE,
    body: notification.MailSettingsPut,
    response: { status: 200, schema: notification.MailSettings },
  },
  listSubscriptions: {
    route: 'GET /notifications/subscriptions',
    summary: 'The records and workspaces that you watch or have muted',
    ...SELF_READ,
    query: query(ofWorkspace),
    response: { status: 200, schema: z.object({ data: z.array(notification.Subscription) }) },
  },
  putSubscription: {
    route: 'PUT /notifications/subscriptions/{id}',
    summary: 'Watch or mute a record, or a whole workspace, by its id',
    ...ofWatched,
    body: notification.SubscriptionPut,
    response: { status: 200, schema: notification.Subscription },
    errors: ['LIMIT_EXCEEDED'],
  },
  deleteSubscription: {
    route: 'DELETE /notifications/subscriptions/{id}',
    summary: 'Neither watch nor mute a record or workspace any longer',
    ...ofWatched,
    response: { status: 204 },
  },
});

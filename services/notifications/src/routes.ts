import type { Handlers } from '@waymark/service-kit/http';
import type { NotificationsContext } from './context.ts';
import {
  deleteSubscription,
  listNotifications,
  listSubscriptions,
  putSubscription,
  readNotifications,
  updateNotification,
} from './inbox.ts';
import { getMailSettings, putMailSettings, readNotificationsForMail } from './mail/mail-settings.ts';

export function createRoutes(service: NotificationsContext): Handlers<'notifications'> {
  return {
    listNotifications: ({ ctx, query }) => listNotifications(service, ctx, query),
    updateNotification: ({ ctx, params, body }) => updateNotification(service, ctx, params.id, body),
    readNotifications: ({ ctx, body }) => readNotifications(service, ctx, body),
    listSubscriptions: ({ ctx, query }) => listSubscriptions(service, ctx, query.workspace_id),
    putSubscription: ({ ctx, params, body }) => putSubscription(service, ctx, params.id, body),
    deleteSubscription: ({ ctx, params }) => deleteSubscription(service, ctx, params.id),
    getMailSettings: ({ ctx, query }) => getMailSettings(service, ctx, query),
    putMailSettings: ({ ctx, body }) => putMailSettings(service, ctx, body),
    readNotificationsForMail: ({ body }) => readNotificationsForMail(service, body),
    stopMails: ({ params, body }) => service.store.mailSettings.stop(params.userId, body.unsubscribed),
    purgeNotifications: ({ params }) => service.workspaces.purge(params.id),
  };
}

import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

export type Notification = Schemas['Notification'];

const PAGE = 50;
/** A snooze ends without a live event. */
export const REFRESH_MS = 60_000;

/** Keeps the time zone of the browser for the daily mail. If that fails, the next read tries again. */
async function keepTimeZone(): Promise<void> {
  const body = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  await api.put('/notifications/mail-settings', { body }).catch(() => undefined);
}

/**
 * What every page shows of the inbox, in one read: how many notifications are unread, and what the user
 * watches or has muted, in all workspaces.
 */
export const inboxQuery = queryOptions({
  queryKey: [...queryKeys.notifications, 'summary'],
  changesWith: ['inbox'],
  queryFn: async () => {
    const query = { limit: 1, include: ['subscriptions' as const] };
    const { unread_count, time_zone, included } = await api.get('/notifications', query);
    if (time_zone === null) await keepTimeZone();
    return { unread: unread_count, subscriptions: included!.subscriptions! };
  },
});

export const inboxList = (isUnreadOnly: boolean) => ({
  queryKey: [...queryKeys.notifications, 'list', isUnreadOnly],
  changesWith: ['inbox'] as const,
  fetchPage: (at: { cursor?: string }) =>
    api.get('/notifications', { limit: PAGE, ...(isUnreadOnly && { unread: true }), ...at }),
  refreshMs: () => REFRESH_MS,
});

import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

export type Notification = Schemas['Notification'];

const PAGE = 50;
/** A snooze ends without a live event. */
const REFRESH_MS = 60_000;

/** Keeps the time zone of the browser for the daily mail. If that fails, the next read tries again. */
async function keepTimeZone(): Promise<void> {
  const body = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  await api.put('/notifications/mail-settings', { body }).catch(() => undefined);
}

/** How many notifications are unread, in all workspaces. */
export const unreadQuery = queryOptions({
  queryKey: [...queryKeys.notifications, 'unread'],
  changesWith: ['inbox'],
  queryFn: async () => {
    const { unread_count, time_zone } = await api.get('/notifications', { limit: 1 });
    if (time_zone === null) await keepTimeZone();
    return unread_count;
  },
  refetchInterval: REFRESH_MS,
});

export const inboxList = (isUnreadOnly: boolean) => ({
  queryKey: [...queryKeys.notifications, 'list', isUnreadOnly],
  changesWith: ['inbox'] as const,
  fetchPage: (at: { cursor?: string }) =>
    api.get('/notifications', { limit: PAGE, ...(isUnreadOnly && { unread: true }), ...at }),
  refreshMs: () => REFRESH_MS,
});

/** The records that the user watches or has muted, in a workspace or in all. */
export const subscriptionsQuery = (workspaceId?: string) =>
  queryOptions({
    queryKey: [...queryKeys.notifications, 'subscriptions', workspaceId ?? 'all'],
    changesWith: ['inbox'],
    queryFn: () => api.get('/notifications/subscriptions', workspaceId === undefined ? {} : { workspaceId }),
  });

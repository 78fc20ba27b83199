import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

export type Notification = Schemas['Notification'];

const PAGE = 50;
/** A snooze ends without a live event. */
const REFRESH_MS = 60_000;

/** How many notifications are unread, in all workspaces. */
export const unreadQuery = queryOptions({
  queryKey: [...queryKeys.notifications, 'unread'],
  changesWith: ['inbox'],
  queryFn: async () => {
    // It becomes the time zone of the daily mail, unless there is one.
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const query = { limit: 1, timeZone };
    const { unread_count } = await unwrap(api.GET('/notifications', { params: { query } }));
    return unread_count;
  },
  refetchInterval: REFRESH_MS,
});

export const inboxList = (isUnreadOnly: boolean) => ({
  queryKey: [...queryKeys.notifications, 'list', isUnreadOnly],
  changesWith: ['inbox'] as const,
  fetchPage: (at: { cursor?: string }) => {
    const query = { limit: PAGE, ...(isUnreadOnly && { unread: true as const }), ...at };
    return unwrap(api.GET('/notifications', { params: { query } }));
  },
  refreshMs: () => REFRESH_MS,
});

/** The records that the user watches or has muted, in a workspace or in all. */
export const subscriptionsQuery = (workspaceId?: string) =>
  queryOptions({
    queryKey: [...queryKeys.notifications, 'subscriptions', workspaceId ?? 'all'],
    changesWith: ['inbox'],
    queryFn: () => {
      const query = workspaceId === undefined ? {} : { workspaceId };
      return unwrap(api.GET('/notifications/subscriptions', { params: { query } }));
    },
  });

import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';

export type Account = Required<NonNullable<Schemas['SignedInWithParts']['included']>>;
const include = ['sign_in_methods', 'sessions', 'grants', 'passkeys', 'totp'] satisfies (keyof Account)[];

/** What the page of the account shows beside the session, in one read. */
export const accountQuery = queryOptions({
  queryKey: queryKeys.account,
  changesWith: [],
  queryFn: async () => (await api.get('/auth/me', { include })).included as Account,
});

/** The choices of mail, and what the user watches or has muted with its titles, in one read. */
export const notificationSettings = queryOptions({
  queryKey: [...queryKeys.notifications, 'settings'],
  changesWith: ['inbox'],
  queryFn: async () => {
    const { included, ...mail } = await api.get('/notifications/mail-settings', {
      include: ['subscriptions'],
    });
    return { mail, subscriptions: included!.subscriptions! };
  },
});

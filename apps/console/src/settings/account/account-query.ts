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

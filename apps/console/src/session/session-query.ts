import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

export type SignedIn = Schemas['SignedIn'];
export type Workspace = Schemas['Workspace'];
export type Role = Workspace['role'];

const SESSION_STALE_MS = 60_000;

/** The signed-in user and their workspaces. Fails with UNAUTHORIZED if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  changesWith: ['workspace.updated', 'billing.plan_changed'],
  isSecondary: true,
  queryFn: () => api.get('/auth/me'),
  staleTime: SESSION_STALE_MS,
});

/** Shows the signed-in user as a change has left them. */
export const showUser = (queryClient: QueryClient, user: Schemas['User']) =>
  queryClient.setQueryData(sessionQuery.queryKey, (known) => known && { ...known, user });

/** The sign-in methods of this installation; they do not change while a page is open. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  changesWith: [],
  queryFn: () => api.get('/auth/methods'),
  staleTime: Number.POSITIVE_INFINITY,
});

import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';

/** The ways into this installation, which do not change while a page is open. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => unwrap(api.GET('/auth/methods')),
  staleTime: Number.POSITIVE_INFINITY,
});

import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from './client.ts';

/** The sign-in methods of this installation; they do not change while a page is open. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => unwrap(api.GET('/auth/methods')),
  staleTime: Number.POSITIVE_INFINITY,
});

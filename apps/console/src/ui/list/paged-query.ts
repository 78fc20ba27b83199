import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import type { Declaration } from '../../api/changes-with.ts';

export interface PageOf<T> {
  data: T[];
  next_cursor: string | null;
}

export interface Paged<P extends PageOf<unknown>> extends Declaration {
  queryKey: QueryKey;
  /** Fetches a page; `at` is part of its query. */
  fetchPage: (at: { cursor?: string }) => Promise<P>;
  /** Refetch interval while only the first page is shown. */
  refreshMs?: (items: P['data'][number][]) => number | false;
}

/** The query of such a list, for routes that prefetch it. */
export function pagedQuery<P extends PageOf<unknown>>({ fetchPage, refreshMs, ...options }: Paged<P>) {
  return infiniteQueryOptions({
    ...options,
    queryFn: ({ pageParam }) => fetchPage(pageParam === undefined ? {} : { cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      refreshMs && data?.pages.length === 1 ? refreshMs(data.pages[0]!.data) : false,
  });
}

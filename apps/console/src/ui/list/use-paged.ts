import {
  hashKey,
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { type Paged, type PageOf, pagedQuery } from './paged-query.ts';

/** A paged list of the API; `items` are the loaded ones. */
export function usePaged<P extends PageOf<unknown>>(paged: Paged<P>) {
  const query = useInfiniteQuery(pagedQuery(paged));
  // Reading a field subscribes to it. Background refetches change only fields that are not read here.
  const { data, error, isError, isPending, isSuccess, hasNextPage, isFetchingNextPage, refetch } = query;
  return {
    data,
    error,
    isError,
    isPending,
    isSuccess,
    hasNextPage,
    isFetchingNextPage,
    refetch,
    items: data?.pages.flatMap((page): P['data'][number][] => page.data),
    name: hashKey(paged.queryKey),
    fetchNextPage: () => loadNextPage(query),
  };
}

/** A list whose first page came with its record; the user asks for the others. */
export function usePagesAfter<P extends PageOf<unknown>>(first: P, paged: Paged<P>) {
  const { data, error, isError, isFetching, hasNextPage, refetch, fetchNextPage } = useInfiniteQuery({
    ...pagedQuery({ ...paged, queryKey: [...paged.queryKey, first.next_cursor] }),
    initialPageParam: first.next_cursor ?? undefined,
    enabled: false,
  });
  const next = () => void (data ? fetchNextPage() : refetch());
  return {
    error,
    isError,
    hasNextPage: data ? hasNextPage : first.next_cursor !== null,
    isFetchingNextPage: isFetching,
    items: [first, ...(data?.pages ?? [])].flatMap((page): P['data'][number][] => page.data),
    refetch: next,
    fetchNextPage: next,
  };
}

/**
 * Loads the next page of a list. A live event that makes the list be read again meanwhile would cancel
 * it: the page is then loaded after that read.
 */
export async function loadNextPage<Page>(query: UseInfiniteQueryResult<InfiniteData<Page>>): Promise<void> {
  const loaded = query.data?.pages.length ?? 0;
  for (;;) {
    const { data, isSuccess, hasNextPage } = await query.fetchNextPage({ cancelRefetch: false });
    if (!isSuccess || !hasNextPage || data.pages.length > loaded) return;
  }
}

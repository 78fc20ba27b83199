import type { ReactNode } from 'react';
import { Loading } from '../loading.tsx';
import { ProblemAlert } from '../problem-alert.tsx';
import { LoadMore } from './load-more.tsx';

/** A list of `usePaged` in whichever state it is: on its way, failed, empty, or there, with more to come. */
export function PagedList<Item>(props: {
  query: {
    items: Item[] | undefined;
    isPending: boolean;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  /** In the place of no items. */
  empty: ReactNode;
  children: (items: Item[]) => ReactNode;
}) {
  const { query, empty, children } = props;
  const { items, isPending, isError, error, refetch } = query;
  return (
    <>
      {isError && <ProblemAlert error={error} retry={() => void refetch()} />}
      {isPending && <Loading />}
      {items && (items.length === 0 ? empty : children(items))}
      <LoadMore query={query} />
    </>
  );
}

import type { ReactNode } from 'react';
import { Loading } from '../loading.tsx';
import { ProblemAlert } from '../problem-alert.tsx';
import { LoadMore } from './load-more.tsx';

/** A list of `usePaged` in any state: loading, failed, empty, or loaded with a button for more. */
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
  /** Shown if there are no items. */
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

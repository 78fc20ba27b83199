import type { ReactNode } from 'react';
import { Loading } from '../loading.tsx';
import { ProblemAlert } from '../problem-alert.tsx';
import { LiveList } from './live-list.tsx';
import { LoadMore } from './load-more.tsx';

/** A list of `usePaged` in any state: loading, failed, empty, or loaded with a button for more. */
export function PagedList<Item extends { id: string }>(props: {
  query: {
    name: string;
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
  /** Whether others add items: new ones do not move what is being read. */
  isLive?: boolean;
  children: (items: Item[]) => ReactNode;
}) {
  const { query, empty, isLive = false, children } = props;
  const { name, items, isPending, isError, error, refetch } = query;
  return (
    <>
      {isError && <ProblemAlert error={error} retry={() => void refetch()} />}
      {isPending && <Loading />}
      {items?.length === 0 && empty}
      {items && items.length > 0 && !isLive && children(items)}
      {items && items.length > 0 && isLive && (
        <LiveList name={name} items={items}>
          {children}
        </LiveList>
      )}
      <LoadMore query={query} />
    </>
  );
}

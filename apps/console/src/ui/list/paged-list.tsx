import type { ComponentProps, ReactNode } from 'react';
import { QueryState } from '../query-state.tsx';
import { LiveList } from './live-list.tsx';
import { LoadMore } from './load-more.tsx';

/** A list of `usePaged` in any state: loading, failed, empty, or loaded with a button for more. */
export function PagedList<Item extends { id: string }>(props: {
  query: ComponentProps<typeof QueryState>['query'] &
    ComponentProps<typeof LoadMore>['query'] & { name: string; items: Item[] | undefined };
  /** Shown if there are no items. */
  empty: ReactNode;
  /** Whether others add items: new ones do not move what is being read. */
  isLive?: boolean;
  children: (items: Item[]) => ReactNode;
}) {
  const { query, empty, isLive = false, children } = props;
  const { name, items } = query;
  return (
    <>
      <QueryState query={query} />
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

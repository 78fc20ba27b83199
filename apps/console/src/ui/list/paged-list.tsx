import { Button } from '@mantine/core';
import { ArrowUp } from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef, useState, useSyncExternalStore } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { QueryState } from '../query-state.tsx';
import { holdBack } from './hold-back.ts';
import { LoadMore } from './load-more.tsx';

/** A list of `usePaged` in any state: loading, failed, empty, or loaded with a button for more. */
export function PagedList<Item extends { id: string }>(props: {
  query: ComponentProps<typeof QueryState>['query'] &
    ComponentProps<typeof LoadMore>['query'] & { name: string; items: Item[] | undefined };
  /** Shown if there are no items. */
  empty: ReactNode;
  /** Whether others add items: new items do not move the ones that are being read. */
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

function followScroll(onChange: () => void): () => void {
  window.addEventListener('scroll', onChange);
  return () => window.removeEventListener('scroll', onChange);
}

/**
 * A list that follows the events of its workspace. While it is scrolled or has the focus, changed items
 * change in place, and new ones wait for a click, so that nothing moves under the reader.
 */
function LiveList<Item extends { id: string }>(props: {
  /** Identifies the list; another one starts from its own items. */
  name: string;
  items: Item[];
  children: (items: Item[]) => ReactNode;
}) {
  const { name, items, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ name: string; ids: string[] }>({ name, ids: [] });
  const isScrolled = useSyncExternalStore(followScroll, () => window.scrollY > 0);
  // The first time, there is nothing to measure.
  const isRead =
    shown.name === name &&
    shown.ids.length > 0 &&
    (isScrolled || list.current?.matches(':focus-within') === true);
  const { visible, held } = holdBack(isRead ? shown.ids : [], items);
  const ids = visible.map(({ id }) => id);
  // While rendering, as React documents it: an effect would run after a frame with moved rows.
  if (shown.name !== name || shown.ids.join() !== ids.join()) setShown({ name, ids });

  function showNew(): void {
    setShown({ name, ids: [] });
    window.scrollTo({ top: 0 });
  }
  return (
    <div ref={list}>
      <div role="status" className="new-items">
        {held > 0 && (
          <Button size="compact-md" radius="xl" leftSection={<ArrowUp size={14} />} onClick={showNew}>
            {t.newItems(held)}
          </Button>
        )}
      </div>
      {children(visible)}
    </div>
  );
}

import { Button } from '@mantine/core';
import { ArrowUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { holdBack } from './hold-back.ts';

/**
 * A list that follows the events of its workspace. While it is scrolled or has the focus, changed items
 * change in place, and new ones wait for a click, so that nothing moves under the reader.
 */
export function LiveList<Item extends { id: string }>(props: {
  /** Identifies the list; another one starts from its own items. */
  name: string;
  items: Item[];
  children: (items: Item[]) => ReactNode;
}) {
  const { name, items, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ name: string; ids: string[] }>({ name, ids: [] });
  // The first time, there is nothing to measure.
  const isRead =
    shown.name === name &&
    shown.ids.length > 0 &&
    (window.scrollY > 0 || list.current?.matches(':focus-within') === true);
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
          <Button
            size="compact-md"
            radius="xl"
            leftSection={<ArrowUp size={14} aria-hidden />}
            onClick={showNew}
          >
            {t.newItems(held)}
          </Button>
        )}
      </div>
      {children(visible)}
    </div>
  );
}

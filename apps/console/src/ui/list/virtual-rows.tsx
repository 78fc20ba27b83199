import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { Fragment, type Ref, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Rows } from './long-rows.tsx';

/** Rows above and below the window, so that Tab finds the next one. */
const OVERSCAN = 8;
/** About the height of a row, and of a card on a phone, until it is measured. */
const ROW = 60;
const CARD = 200;
const PHONE = '(max-width: 48em)';

/** The measured heights of the lists that were left last, so that a return finds the same place. */
const remembered = new Map<string, VirtualItem[]>();
const REMEMBERED_MAX = 5;

/** The rows of a table that are in view, between two rows with the height of the others. */
export function VirtualRows({ name, items, row }: Rows<{ id: string }>) {
  const above = useRef<HTMLTableRowElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<string | null>(null);
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: items.length,
    getItemKey: (index) => items[index]!.id,
    estimateSize: () => (matchMedia(PHONE).matches ? CARD : ROW),
    measureElement: heightOf,
    overscan: OVERSCAN,
    scrollMargin: top,
    initialOffset: () => window.scrollY,
    initialMeasurementsCache: remembered.get(name) ?? [],
    rangeExtractor: (range) => withFocused(range, focused, items),
  });
  // Browsers that anchor the scroll position also do so while heights become known.
  if (CSS.supports('overflow-anchor', 'auto')) rows.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  // The content above the list may load after it.
  useLayoutEffect(() => {
    setTop((above.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  });
  useEffect(() => {
    const body = above.current?.parentElement;
    // Between two rows the list is rendered, and must not lose the one that gets the focus.
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget && !body?.contains(relatedTarget as Node)) setFocused(null);
    };
    const onFocus = ({ target }: FocusEvent) => {
      const at = (target as Element).closest<HTMLElement>('tr[data-index]')?.dataset['index'];
      setFocused(at === undefined ? null : (items[Number(at)]?.id ?? null));
    };
    body?.addEventListener('focusin', onFocus);
    body?.addEventListener('focusout', onBlur);
    return () => {
      body?.removeEventListener('focusin', onFocus);
      body?.removeEventListener('focusout', onBlur);
    };
  }, [items]);
  useEffect(
    () => () => {
      remembered.delete(name);
      remembered.set(name, rows.takeSnapshot());
      const [oldest] = remembered.keys();
      if (remembered.size > REMEMBERED_MAX) remembered.delete(oldest!);
    },
    [name, rows],
  );

  const shown = rows.getVirtualItems();
  let end = top;
  return (
    <>
      <Gap ref={above} height={0} />
      {shown.map(({ index, start, size, key }) => {
        const gap = start - end;
        end = start + size;
        return (
          <Fragment key={key}>
            {gap > 0 && <Gap height={gap} />}
            {row(items[index]!, {
              ref: rows.measureElement,
              'data-index': index,
              'aria-rowindex': index + 2,
            })}
          </Fragment>
        );
      })}
      <Gap height={top + rows.getTotalSize() - end} />
    </>
  );
}

/** Takes the place of rows that are not in the page. */
function Gap({ height, ref }: { height: number; ref?: Ref<HTMLTableRowElement> }) {
  return (
    <tr ref={ref} aria-hidden style={{ height, margin: 0, padding: 0, border: 0 }}>
      <td colSpan={99} style={{ padding: 0 }} />
    </tr>
  );
}

/** Cards have a margin, which is not in their height. */
function heightOf(element: HTMLTableRowElement): number {
  const { height } = element.getBoundingClientRect();
  return height + (Number.parseFloat(getComputedStyle(element).marginBlockEnd) || 0);
}

/**
 * The row with the focus stays, wherever the page is scrolled to, and so do those before and after it, to
 * which Tab goes.
 */
function withFocused(range: Range, id: string | null, items: Rows<{ id: string }>['items']): number[] {
  const shown = defaultRangeExtractor(range);
  const at = id === null ? -1 : items.findIndex((item) => item.id === id);
  if (at < 0) return shown;
  const near = [at - 1, at, at + 1].filter((index) => index >= 0 && index < items.length);
  return [...new Set([...shown, ...near])].sort((a, b) => a - b);
}

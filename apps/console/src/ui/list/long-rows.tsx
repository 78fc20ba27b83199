import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';

/** With fewer rows, all of them are in the page, where the browser's own search finds them. */
const PLAIN_ROWS_MAX = 100;
/** The code for more arrives before it is needed. */
const SOON = 50;

/** The attributes that a row gives to its `tr`. */
export type RowAttributes = Pick<ComponentProps<'tr'>, 'ref' | 'aria-rowindex'> & { 'data-index'?: number };

export interface Rows<Item extends { id: string }> {
  /** Identifies the list, whose heights are remembered. */
  name: string;
  items: readonly Item[];
  row: (item: Item, attributes: RowAttributes) => ReactNode;
}

type VirtualRows = typeof import('./virtual-rows.tsx').VirtualRows;
let loaded: VirtualRows | null = null;

/** The rows of a table: all of them, or the ones in view of a long list. */
export function LongRows<Item extends { id: string }>({ name, items, row }: Rows<Item>) {
  const VirtualRows = useVirtualRows(items.length > SOON);
  if (!VirtualRows || items.length <= PLAIN_ROWS_MAX) return items.map((item) => row(item, {}));
  return <VirtualRows key={name} name={name} items={items} row={row as Rows<{ id: string }>['row']} />;
}

/** Loads the component once. If that fails, the page stays as it is, with all rows. */
function useVirtualRows(isNeeded: boolean): VirtualRows | null {
  const [component, setComponent] = useState(() => loaded);
  useEffect(() => {
    if (!isNeeded || component) return;
    import('./virtual-rows.tsx').then(
      ({ VirtualRows }) => {
        loaded = VirtualRows;
        setComponent(() => VirtualRows);
      },
      () => undefined,
    );
  }, [isNeeded, component]);
  return component;
}

/**
 * A collection of items that come and go thousands of times a second, in no order. Not a Set: the tables that
 * a busy Set outgrows refer to each other and keep finished items in memory until a full garbage collection.
 */
export function inFlight<Item extends { index: number }>() {
  const items: Item[] = [];
  return {
    items: items as readonly Item[],
    add(item: Item): void {
      item.index = items.length;
      items.push(item);
    },
    /** Returns whether the item was there. */
    remove(item: Item): boolean {
      if (items[item.index] !== item) return false;
      const last = items.pop()!;
      if (last === item) return true;
      items[item.index] = last;
      last.index = item.index;
      return true;
    },
  };
}

/**
 * The items of a list that was read again while somebody reads it: those that were shown stay in their
 * order, with their new content. New ones among them are held back; new ones after them follow.
 */
export function holdBack<Item extends { id: string }>(
  shown: readonly string[],
  items: readonly Item[],
): { visible: Item[]; held: number } {
  const byId = new Map(items.map((item) => [item.id, item]));
  const wasShown = new Set(shown);
  const stay = shown.flatMap((id) => byId.get(id) ?? []);
  if (stay.length === 0) return { visible: [...items], held: 0 };
  const end = items.findLastIndex(({ id }) => wasShown.has(id)) + 1;
  const visible = [...stay, ...items.slice(end)];
  return { visible, held: items.length - visible.length };
}

/**
 * Moves in the list of the page by j and k, and selects the row that has the focus by x. Returns whether the
 * key did something. Enter opens the row, as its link has the focus.
 */
export function runRowKey(key: string): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('main tbody td:first-child a:not([data-quiet])')];
  const row = document.activeElement?.closest('tr') ?? null;
  if (key === 'x') {
    const choice = row?.querySelector<HTMLElement>('input[type="checkbox"]');
    choice?.click();
    return choice != null;
  }
  if ((key !== 'j' && key !== 'k') || links.length === 0) return false;
  const at = links.findIndex((link) => link.closest('tr') === row);
  const next = key === 'j' ? at + 1 : Math.max(0, at - 1);
  links[next]?.focus();
  return true;
}

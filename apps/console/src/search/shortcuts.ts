import { areOn } from '../ui/list/single-keys.ts';

/** Pages below the workspace, by the key after `g`. */
export const PAGE_KEYS = {
  m: 'my-work',
  d: 'decisions',
  w: 'workflows',
  i: 'insight',
  a: 'audit',
  s: 'settings',
} as const;

const SECOND_KEY_MS = 1_500;

export type Shortcut = { go: string } | { show: 'search' | 'help' };

/** Returns the shortcut of a key; `first` is the key pressed just before, if it waits for a second one. */
function shortcutOf(key: string, first: string | null): Shortcut | null {
  if (first === 'g') return key in PAGE_KEYS ? { go: PAGE_KEYS[key as keyof typeof PAGE_KEYS] } : null;
  if (key === 'c') return { go: 'decisions/new' };
  if (key === '/') return { show: 'search' };
  return key === '?' ? { show: 'help' } : null;
}

const TYPING = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]';

/** Runs the shortcuts until the returned function is called. */
export function listenForShortcuts(run: (shortcut: Shortcut) => void): () => void {
  let first: { key: string; at: number } | null = null;
  const onKey = (event: KeyboardEvent) => {
    const { key, target, timeStamp } = event;
    const isTyping = target instanceof Element && target.closest(TYPING) !== null;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
    if (!isPlain || isTyping || event.defaultPrevented || document.querySelector('[role="dialog"]')) return;
    if (!areOn()) return;
    const before = first && timeStamp - first.at < SECOND_KEY_MS ? first.key : null;
    first = key === 'g' ? { key, at: timeStamp } : null;
    const shortcut = shortcutOf(key, before);
    if (!shortcut && (runRowKey(key) || runPageKey(key))) event.preventDefault();
    if (!shortcut) return;
    event.preventDefault();
    run(shortcut);
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

/** Clicks the action of the page that declares the key as its shortcut. Returns whether there is one. */
function runPageKey(key: string): boolean {
  const action = pageActions().find((one) => one.getAttribute('aria-keyshortcuts') === key);
  action?.click();
  return action !== undefined;
}

/** The enabled buttons and links at the heading of the page. */
export const pageActions = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('main [data-actions] > :is(a, button:not(:disabled))'),
];

/**
 * Moves in the list of the page by j and k, and selects the row that has the focus by x. Returns whether the
 * key did something. Enter opens the row, as its link has the focus.
 */
function runRowKey(key: string): boolean {
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

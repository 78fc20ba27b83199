import { type ComponentProps, useEffect, useState } from 'react';
import { LazyPart } from '../lazy-part.tsx';

/** Places that take keys themselves. */
const TAKES_KEYS = 'input, textarea, select, [role="dialog"], .mantine-Popover-dropdown';

/** Whether a key types a character. AltGr (on Windows: Ctrl and Alt) and Option type those beyond \w. */
export const isCharacter = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>) =>
  key.length === 1 && !metaKey && (altKey ? !/\w/.test(key) : !ctrlKey);

let last = new AbortController();

/**
 * Keeps what is typed or pasted before a field has the focus, and puts it there. Until then the page would
 * run the keys as shortcuts, and lose the rest. Returns the function that ends it.
 */
export function keepTyping(before = document.activeElement): () => void {
  last.abort();
  const ending = new AbortController();
  last = ending;
  const stop = () => ending.abort();
  let text = '';
  function handOver(): boolean {
    const { activeElement } = document;
    if (activeElement === before || !activeElement?.closest(TAKES_KEYS)) return false;
    stop();
    // Later, because a field that gets the focus may select its text then.
    if (text !== '') queueMicrotask(() => document.execCommand('insertText', false, text));
    return true;
  }
  function keep(event: KeyboardEvent): void {
    const { key } = event;
    const isTyped = isCharacter(event);
    if ((!isTyped && (event.ctrlKey || event.metaKey || event.altKey)) || handOver()) return;
    if (key === 'Escape' || key === 'Tab') {
      stop();
      return;
    }
    if (key === 'Backspace') text = text.slice(0, -1);
    else if (isTyped) text += key;
    else if (key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
  }
  function keepPasted(event: ClipboardEvent): void {
    if (handOver()) return;
    text += event.clipboardData?.getData('text') ?? '';
    event.preventDefault();
    event.stopPropagation();
  }
  const options = { capture: true, signal: ending.signal };
  document.addEventListener('keydown', keep, options);
  document.addEventListener('paste', keepPasted, options);
  document.addEventListener('focusin', handOver, options);
  document.addEventListener('pointerdown', stop, options);
  return stop;
}

/** A lazy part that somebody opened, and that moves the focus to its field. */
export function FocusedPart(props: ComponentProps<typeof LazyPart>) {
  const [before] = useState(() => document.activeElement);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => (hasFailed ? undefined : keepTyping(before)), [before, hasFailed]);
  return <LazyPart {...props} onCatch={() => setFailed(true)} />;
}

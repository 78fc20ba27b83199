import type { QueryClient } from '@tanstack/react-query';

/** By then, the page shows the result, and a dialog that closes has returned the focus itself. */
const AFTER_MS = 100;

/**
 * Watches requests that change something. Their button is disabled meanwhile and loses the focus; afterwards
 * the focus returns to it, or to the heading of the page if it has gone. Returns the function that stops
 * watching.
 */
export function keepFocus(queryClient: QueryClient): () => void {
  const pressed = new WeakMap<object, Element | null>();
  return queryClient.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { mutation, action } = event;
    if (action.type === 'pending') pressed.set(mutation, document.activeElement);
    if (action.type !== 'success' && action.type !== 'error') return;
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      const button = pressed.get(mutation) as HTMLElement | undefined;
      if (button?.isConnected) return button.focus({ preventScroll: true });
      const heading = document.querySelector<HTMLElement>('main h1');
      heading?.setAttribute('tabindex', '-1');
      heading?.focus({ preventScroll: true });
    }, AFTER_MS);
  });
}

import { useEffect, useState } from 'react';

/**
 * Gives the focus back to what had it before the component came, unless it has gone elsewhere by then. Mantine does so for dialogs
 * that stay in the page while they are closed; ours do not.
 */
export function useFocusReturned(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // By then what had the focus is gone, and the focus with it.
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) {
          before.focus({ preventScroll: true });
        }
      });
    },
    [before],
  );
}

import { useEffect, useState } from 'react';

/**
 * Restores the focus to the element that had it before the component mounted, unless it has moved. Mantine
 * does so only for dialogs that stay mounted while closed.
 */
export function useFocusReturned(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The focused element has been removed by then.
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) {
          before.focus({ preventScroll: true });
        }
      });
    },
    [before],
  );
}

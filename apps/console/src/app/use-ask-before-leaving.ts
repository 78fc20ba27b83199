import { useBlocker } from '@tanstack/react-router';
import { countUnsaved, mayDiscard } from '../ui/unsaved.ts';

/** Wraps every page. Asks before the user leaves a page with unsaved input. */
export function useAskBeforeLeaving(): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await mayDiscard()),
    enableBeforeUnload: () => countUnsaved() > 0,
  });
}

import { useBlocker } from '@tanstack/react-router';
import { countUnsaved, mayDiscard } from '../ui/unsaved.ts';

/** Stands around every page: another page, or none, only once what was typed is saved or given up. */
export function useAskBeforeLeaving(): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await mayDiscard()),
    enableBeforeUnload: () => countUnsaved() > 0,
  });
}

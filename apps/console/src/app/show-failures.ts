import type { QueryClient } from '@tanstack/react-query';
import { onRenewal } from '../api/expiry.ts';
import { dismissFailures, notifyProblem } from '../ui/notify.tsx';

/**
 * Shows why a mutation failed, with a button that repeats it, unless the page shows the error itself. So no
 * control can forget to, and a form that was closed meanwhile does not fail unseen.
 */
export function showFailures(queryClient: QueryClient): void {
  onRenewal(dismissFailures);
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action, mutation } = event;
    // A change by the same control would make the offer to repeat it wrong.
    if (action.type === 'pending') dismissFailures();
    if (action.type !== 'error') return;
    const { error } = action;
    // The user has cancelled it.
    if (error instanceof Error && error.name === 'AbortError') return;
    const repeat = () => void mutation.execute(mutation.state.variables).catch(() => undefined);
    // By the next task, the page has rendered its own alert.
    setTimeout(() => notifyProblem(error, { repeat }));
  });
}

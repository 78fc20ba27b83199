import { limits } from '@waymark/contracts';
import { createAdmission, type Tenants } from '@waymark/service-kit/jobs';
import type { Metrics } from '@waymark/service-kit/process';

const RETRY_SECONDS = 5;

export type EventWaiters = ReturnType<typeof eventWaiters>;

/** The callers of this process that wait until the log of a workspace grows. */
export function eventWaiters(metrics: Pick<Metrics, 'admission'>) {
  const waits = createAdmission({
    ...metrics.admission('event_log_waits'),
    what: 'requests that wait for events',
    total: limits.eventLogWaiters,
    most: limits.eventLogWaitersPerCaller,
    retrySeconds: RETRY_SECONDS,
  });
  const waiting = new Map<string, Set<() => void>>();
  let isStopped = false;

  function wake(workspaceId: string): void {
    for (const end of [...(waiting.get(workspaceId) ?? [])]) end();
  }
  function wakeAll(): void {
    for (const workspaceId of [...waiting.keys()]) wake(workspaceId);
  }

  return {
    wake,
    wakeAll,
    /** Counts a waiting caller until the returned function is called. Throws as an admission does. */
    enter: (tenants: Tenants) => waits.enter(tenants),
    /** Resolves when the log of the workspace has grown, when `over` aborts, or when the process stops. */
    growth(workspaceId: string, over: AbortSignal): Promise<void> {
      if (isStopped || over.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const own = waiting.get(workspaceId) ?? new Set();
        function end(): void {
          own.delete(end);
          if (own.size === 0) waiting.delete(workspaceId);
          over.removeEventListener('abort', end);
          resolve();
        }
        waiting.set(workspaceId, own.add(end));
        over.addEventListener('abort', end);
      });
    },
    isStopped: () => isStopped,
    stop(): void {
      isStopped = true;
      wakeAll();
    },
  };
}

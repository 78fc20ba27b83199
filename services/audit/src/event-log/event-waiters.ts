import { ApiError, limits } from '@waymark/contracts';
import { fairShare, upTo } from '@waymark/service-kit/jobs';

const RETRY_SECONDS = 5;

export type EventWaiters = ReturnType<typeof eventWaiters>;

/** The callers at this process that wait until the log of a workspace grows. */
export function eventWaiters() {
  const { eventLogWaiters: total, eventLogWaitersPerWorkspace: most } = limits;
  const share = fairShare<string>({ total, policy: upTo(most), tenantsOf: (id) => [id] });
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
    /** Counts a waiting caller, and returns the function that ends this. Throws RATE_LIMITED. */
    reserve(workspaceId: string): () => void {
      if (share.allowance(workspaceId) <= 0) {
        throw new ApiError('RATE_LIMITED', {
          reason: 'concurrency',
          message: `No more than ${most} requests wait for the events of a workspace at once; end one.`,
          retryAfterSeconds: RETRY_SECONDS,
        });
      }
      share.take(workspaceId);
      return () => share.give(workspaceId);
    },
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

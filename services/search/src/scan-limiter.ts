import { concurrencyLimiter, fairShare, upTo } from '@waymark/service-kit/jobs';
import { OutOfTime, type TimeLeftMs } from './store/items.ts';

export interface ScanLimiter {
  /**
   * Runs a scan as soon as the limits allow. Throws OutOfTime when they do not allow it in time, and any
   * error of the scan.
   */
  run<T>(workspaceId: string, scan: (timeLeftMs: TimeLeftMs) => Promise<T>): Promise<T>;
}

/** A quarter of the connections to MongoDB. */
const MAX_SCANS = 16;
const MAX_SCANS_PER_WORKSPACE = 2;

interface Waiting {
  workspaceId: string;
  begin: () => void;
}

/**
 * Limits scans, which read a whole projection and keep MongoDB busy for as long as they run: each has a
 * deadline, few run per workspace, and waiting scans are served by workspace in turn.
 */
export function scanLimiter(options: {
  /** The time limit of a scan, including its wait. */
  timeoutMs: number;
  maxScans?: number;
  maxScansPerWorkspace?: number;
}): ScanLimiter {
  const { timeoutMs, maxScans = MAX_SCANS, maxScansPerWorkspace = MAX_SCANS_PER_WORKSPACE } = options;
  const limiter = concurrencyLimiter<Waiting>({
    share: fairShare({
      total: maxScans,
      policy: upTo(maxScansPerWorkspace),
      tenantsOf: ({ workspaceId }) => [workspaceId],
    }),
    tenantOf: ({ workspaceId }) => workspaceId,
    begin: (waiting) => waiting.begin(),
  });

  /** Resolves to a function that ends the scan for the limiter. */
  async function begin(workspaceId: string): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      workspaceId,
      begin() {
        limiter.take(waiting);
        resolve();
      },
    };
    if (limiter.isFree(waiting)) waiting.begin();
    else limiter.queue(waiting);
    const timer = setTimeout(() => {
      limiter.leave(waiting);
      reject(new OutOfTime('no scan was free in time'));
    }, timeoutMs);
    await promise.finally(() => clearTimeout(timer));
    return () => limiter.give(waiting);
  }

  return {
    async run(workspaceId, scan) {
      const untilMs = performance.now() + timeoutMs;
      const end = await begin(workspaceId);
      try {
        return await scan(() => {
          const leftMs = Math.ceil(untilMs - performance.now());
          if (leftMs <= 0) throw new OutOfTime('the scan took too long');
          return leftMs;
        });
      } finally {
        end();
      }
    },
  };
}

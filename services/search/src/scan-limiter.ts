import { concurrencyLimiter, fairShare, upTo } from '@waymark/service-kit/jobs';
import { OutOfTime, type TimeLeftMs } from './store/items.ts';

/** A quarter of the connections to MongoDB. */
const MAX_SCANS = 16;
const MAX_SCANS_PER_WORKSPACE = 2;

interface Scan {
  workspaceId: string;
  begin: () => void;
}

/**
 * Limits scans, which read a whole projection and keep MongoDB busy for as long as they run: each has a
 * deadline, few run per workspace, and waiting scans are served by workspace in turn.
 */
export function scanLimiter(options: {
  /** The most that a scan may take, including its wait. */
  timeoutMs: number;
  maxScans?: number;
  maxScansPerWorkspace?: number;
}) {
  const { timeoutMs, maxScans = MAX_SCANS, maxScansPerWorkspace = MAX_SCANS_PER_WORKSPACE } = options;
  const policy = upTo(maxScansPerWorkspace);
  const limiter = concurrencyLimiter<Scan>({
    share: fairShare({ total: maxScans, policy, tenantsOf: ({ workspaceId }) => [workspaceId] }),
    tenantOf: ({ workspaceId }) => workspaceId,
    begin,
  });

  function begin(scan: Scan): void {
    limiter.take(scan);
    scan.begin();
  }

  return {
    /** Runs a scan as soon as the limits allow. Throws OutOfTime after its time or the request's deadline. */
    async run<T>(
      workspaceId: string,
      deadlineMs: number,
      read: (timeLeftMs: TimeLeftMs) => Promise<T>,
    ): Promise<T> {
      const untilMs = Math.min(performance.now() + timeoutMs, deadlineMs);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const scan: Scan = { workspaceId, begin: resolve };
      if (limiter.isFree(scan)) begin(scan);
      else limiter.queue(scan);
      const timer = setTimeout(() => {
        limiter.leave(scan);
        reject(new OutOfTime('no scan was free in time'));
      }, untilMs - performance.now());
      await promise.finally(() => clearTimeout(timer));
      try {
        return await read(() => {
          const leftMs = Math.ceil(untilMs - performance.now());
          if (leftMs <= 0) throw new OutOfTime('the scan took too long');
          return leftMs;
        });
      } finally {
        limiter.give(scan);
      }
    },
  };
}

export type ScanLimiter = ReturnType<typeof scanLimiter>;

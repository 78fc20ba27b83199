import { createAdmission, type Tenants } from '@waymark/service-kit/jobs';
import type { Metrics } from '@waymark/service-kit/process';
import { OutOfTime, type TimeLeftMs } from './store/items.ts';

/** A quarter of the connections to MongoDB. */
const SCANS = 16;
const SCANS_PER_WORKSPACE = 2;

export type ScanLimiter = ReturnType<typeof scanLimiter>;

/**
 * Limits scans, which read a whole projection and keep MongoDB busy for as long as they run: each has a
 * deadline, few run per workspace, and waiting workspaces take turns. The first tenant is the workspace.
 */
export function scanLimiter(options: {
  /** The most that a scan may take, including its wait. */
  timeoutMs: number;
  metrics: Pick<Metrics, 'admission'>;
  total?: number;
}) {
  const { timeoutMs, metrics, total = SCANS } = options;
  const scans = createAdmission({
    ...metrics.admission('scans'),
    what: 'searches',
    total,
    small: SCANS_PER_WORKSPACE,
    most: SCANS_PER_WORKSPACE,
  });

  return {
    /** Runs a scan as soon as the limits allow. Throws OutOfTime after its time or the end of its request. */
    async run<T>(
      tenants: Tenants,
      { deadlineMs, gone }: { deadlineMs: number; gone: AbortSignal },
      read: (timeLeftMs: TimeLeftMs) => Promise<T>,
    ): Promise<T> {
      const untilMs = Math.min(performance.now() + timeoutMs, deadlineMs);
      const leave = await scans.wait(tenants, untilMs, { gone }).catch((cause: unknown) => {
        throw new OutOfTime('no scan was free in time', { cause });
      });
      try {
        return await read(() => {
          const leftMs = Math.ceil(untilMs - performance.now());
          if (leftMs <= 0 || gone.aborted) throw new OutOfTime('the scan took too long');
          return leftMs;
        });
      } finally {
        leave();
      }
    },
  };
}

import { ApiError } from '@waymark/contracts';
import { createAdmission } from '../../jobs/admission.ts';
import { sharedRuns } from '../../jobs/shared-runs.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { RequestContext } from '../request-context.ts';
import { tenantsOf } from './tenants.ts';

/** Each may use a few of the 64 connections to MongoDB. */
const SCANS = 8;
const SCANS_PER_USER = 2;
/** The limit for callers without a deadline, such as commands. */
const LONGEST_MS = 30_000;

/** The parts of a request that decide when it reads, and how long. */
export type ScanRequest = Pick<
  RequestContext,
  'access' | 'principal' | 'clientAddress' | 'deadlineMs' | 'leaveEarly' | 'gone'
>;
export type WorkspaceScans = ReturnType<typeof workspaceScans>;

/** The options that end a read of MongoDB with its request. */
export interface Bounded {
  /** Throws between two reads if the request has ended: the reason of `gone`, or SERVICE_UNAVAILABLE. */
  readonly maxTimeMS: number;
}

/**
 * Shares reads of a whole workspace, which keep MongoDB busy for longer the more it holds: few run at once,
 * and the waiting users take turns.
 */
export function workspaceScans(metrics: Pick<Metrics, 'admission'>) {
  const scans = createAdmission({
    ...metrics.admission('workspace_scans'),
    what: 'reads of whole workspaces',
    total: SCANS,
    small: SCANS_PER_USER,
    most: SCANS_PER_USER,
  });

  const runs = sharedRuns<unknown>();

  async function scanAlone<T>(
    ctx: ScanRequest,
    gone: AbortSignal,
    read: (bounded: Bounded) => Promise<T>,
  ): Promise<T> {
    const { access, principal, clientAddress, deadlineMs } = ctx;
    // A set, because the workspace may be among the tenants of the caller.
    const tenants = [...new Set([...tenantsOf(principal, clientAddress), `workspace ${access.workspaceId}`])];
    ctx.leaveEarly();
    const leave = await scans.wait(tenants, deadlineMs, { gone });
    try {
      const endMs = Number.isFinite(deadlineMs) ? deadlineMs : performance.now() + LONGEST_MS;
      return await read({
        get maxTimeMS() {
          gone.throwIfAborted();
          const leftMs = Math.ceil(endMs - performance.now());
          if (leftMs <= 0) throw new ApiError('SERVICE_UNAVAILABLE');
          return leftMs;
        },
      });
    } finally {
      leave();
    }
  }

  /**
   * Calls `read` as soon as the shares allow. `maxTimeMS` is what the request has left at each use, because
   * MongoDB goes on reading after a client has gone. Callers with the same `key` share a read. Throws
   * RATE_LIMITED or SERVICE_UNAVAILABLE at the deadline.
   */
  return function scan<T>(
    ctx: ScanRequest,
    read: (bounded: Bounded) => Promise<T>,
    key?: string,
  ): Promise<T> {
    const gone = ctx.gone();
    if (key === undefined) return scanAlone(ctx, gone, read);
    return runs(key, (over) => scanAlone(ctx, over, read), gone) as Promise<T>;
  };
}

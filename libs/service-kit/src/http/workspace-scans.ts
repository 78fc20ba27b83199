import { createAdmission } from '../jobs/admission.ts';
import type { Metrics } from '../process/metrics.ts';
import type { RequestContext } from './request-context.ts';
import { tenantsOf } from './tenants.ts';

/** Each may use a few of the 64 connections to MongoDB. */
const SCANS = 8;
const SCANS_PER_WORKSPACE = 2;
/** For callers without a deadline, such as commands. */
const LONGEST_MS = 30_000;

export type WorkspaceScans = ReturnType<typeof workspaceScans>;

/**
 * Shares reads of a whole workspace, which keep MongoDB busy for longer the more it holds: few run at once,
 * and waiting workspaces take turns.
 */
export function workspaceScans(metrics: Pick<Metrics, 'admission'>) {
  const scans = createAdmission({
    ...metrics.admission('workspace_scans'),
    what: 'reads of whole workspaces',
    total: SCANS,
    small: SCANS_PER_WORKSPACE,
    most: SCANS_PER_WORKSPACE,
  });

  /**
   * Calls `read` in its turn, with the time that is left for it as an option of MongoDB: nothing else ends
   * the read of a client that has gone. Throws RATE_LIMITED or SERVICE_UNAVAILABLE at the request's deadline.
   */
  return async function scan<T>(
    ctx: Pick<RequestContext, 'access' | 'principal' | 'clientAddress' | 'deadlineMs' | 'endTurn'>,
    gone: AbortSignal,
    read: (bounded: { maxTimeMS: number }) => Promise<T>,
  ): Promise<T> {
    const { access, principal, clientAddress, deadlineMs } = ctx;
    // A set, because the workspace may be among the tenants of the caller.
    const tenants = [...new Set([`workspace ${access.workspaceId}`, ...tenantsOf(principal, clientAddress)])];
    ctx.endTurn();
    const leave = await scans.wait(tenants, deadlineMs, { gone });
    try {
      const leftMs = Math.min(LONGEST_MS, deadlineMs - performance.now());
      return await read({ maxTimeMS: Math.max(1, Math.ceil(leftMs)) });
    } finally {
      leave();
    }
  };
}

import type { InternalOperationId } from '@waymark/contracts';
import { type AccountsContext, timestamp } from '../context.ts';
import type { Deletion } from '../store/deletions.ts';

/** Every service that stores data of a workspace: first the one that may still import, last the audit log. */
const PURGES = [
  'purgeTransfer',
  'purgeWebhooks',
  'purgeNotifications',
  'purgeSearch',
  'purgeThreads',
  'purgeWorkflows',
  'purgeDecisions',
  'purgeAuditLog',
] as const satisfies InternalOperationId[];

const RETRY_MS = 5_000;
/**
 * After this time no request that was admitted before the deletion can still write: tokens and cached
 * look-ups live a minute, transactions seconds. An upload takes longer, but checks again before it stores.
 */
const LATE_WRITES_MS = 120_000;

/**
 * Returns a function that continues the deletions that are due. Every service purges the data at once, and
 * again when no late write can come. Each step is repeatable.
 */
export function workspaceDeletions(service: AccountsContext) {
  const { call, log, now } = service;
  const { deletions } = service.store;

  async function purge(deletion: Deletion, stopping: AbortSignal): Promise<void> {
    const { _id: id, deleted_at } = deletion;
    for (const operation of PURGES) {
      while (!stopping.aborted && !(await call(operation, { params: { id } })).is_done);
    }
    if (stopping.aborted) return;
    const secondPurgeMs = Date.parse(deleted_at) + LATE_WRITES_MS;
    if (now() < secondPurgeMs) {
      await deletions.release(deletion, { due_at: timestamp(service, secondPurgeMs), is_purged: true });
    } else while (!stopping.aborted && !(await deletions.finish(deletion)));
  }

  return async (stopping: AbortSignal): Promise<void> => {
    for (;;) {
      const deletion = stopping.aborted ? null : await deletions.claim(timestamp(service));
      if (!deletion) return;
      try {
        await purge(deletion, stopping);
      } catch (error) {
        const context = { err: error, workspace_id: deletion._id };
        log.warn(context, 'workspace deletion interrupted; retrying later');
        await deletions.release(deletion, { due_at: timestamp(service, now() + RETRY_MS) });
      }
    }
  };
}

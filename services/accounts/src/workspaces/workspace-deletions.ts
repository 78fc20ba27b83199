import type { InternalOperationId } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit/http';
import type { Logger } from '@waymark/service-kit/process';
import type { Deletion, DeletionStore } from '../store/deletions.ts';

/** Every service that keeps something of a workspace: first the one that may still be importing, the audit log last of all. */
const PURGES = [
  'purgeTransfer',
  'purgeWebhooks',
  'purgeSearch',
  'purgeThreads',
  'purgeWorkflows',
  'purgeDecisions',
  'purgeAuditLog',
] as const satisfies InternalOperationId[];

const LEASE_MS = 60_000;
const RETRY_MS = 5_000;
/**
 * By then no request that was let in before can still write: tokens and look-ups live a minute, transactions seconds. Only the
 * upload of an import takes longer, and looks for the tombstone again before it stores anything.
 */
const LATE_WRITES_MS = 120_000;

/**
 * Brings deletions to their end: every service removes what it has at once, and once more when no late write can come.
 * Each step can be broken off and repeated; whichever process is there goes on with what another has left.
 */
export function workspaceDeletions(options: {
  deletions: DeletionStore;
  call: CallInternal;
  everyMs: number;
  log: Logger;
  now: () => number;
}) {
  const { deletions, call, log, now } = options;
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  let running: Promise<void> | undefined;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function purgeEverywhere(id: string): Promise<void> {
    for (const operation of PURGES) {
      while (!isStopped && !(await call(operation, { params: { id } })).is_done);
    }
  }

  async function round(deletion: Deletion): Promise<void> {
    const { _id: id, deleted_at, is_purged } = deletion;
    try {
      await purgeEverywhere(id);
      if (isStopped) return;
      const lastMs = Date.parse(deleted_at) + LATE_WRITES_MS;
      if (now() < lastMs) await deletions.release(deletion, { due_at: iso(lastMs), is_purged: true });
      else while (!isStopped && !(await deletions.finish(deletion)));
    } catch (error) {
      log.warn({ err: error, workspace_id: id }, 'deletion of a workspace broken off; it goes on later');
      await deletions.release(deletion, { due_at: iso(now() + RETRY_MS), is_purged });
    }
  }

  async function rounds(): Promise<void> {
    for (;;) {
      const nowMs = now();
      const deletion = isStopped ? null : await deletions.claim(iso(nowMs), iso(nowMs + LEASE_MS));
      if (!deletion) return;
      await round(deletion);
    }
  }

  function run(): void {
    running ??= rounds()
      .catch((error) => log.warn({ err: error }, 'deletions of workspaces not looked for; tried again later'))
      .finally(() => {
        running = undefined;
      });
  }

  return {
    start() {
      timer = setInterval(run, options.everyMs);
      timer.unref();
    },
    /** Looks for work now. */
    run,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

import { ApiError, limits } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { type PeriodicTask, periodicTask } from '@waymark/service-kit/jobs';
import type { Transaction } from '@waymark/service-kit/store';
import type { TransferContext } from '../context.ts';
import { FILE_MS } from '../store/index.ts';

type UploadId = { id: string; workspace_id: string };

/**
 * Registers an upload as one of the workspace's unfinished imports. Returns false for a repeated request at
 * the limit: its file is not stored, but only the whole file shows whether it equals the first one.
 */
export async function beginUpload(
  service: TransferContext,
  ctx: RequestContext,
  { id, workspace_id }: UploadId,
): Promise<boolean> {
  const { isRepeat, now, store, leaseMs } = service;
  const idempotency_id = ctx.idempotency?.id ?? null;
  const expires_at = new Date(now() + FILE_MS);
  try {
    await commitUpload(service, ctx, workspace_id, async ({ session }) => {
      await refuseDeleted(service, workspace_id);
      if (idempotency_id && (await store.uploads.isActive(workspace_id, idempotency_id, session)))
        throw conflict('A request with this Idempotency-Key is in progress; try again in a second.');
      checkLimit(await store.countUnfinished(workspace_id, id, session));
      await store.uploads.begin({ id, workspace_id, idempotency_id, expires_at }, leaseMs, session);
    });
    return true;
  } catch (error) {
    if (isLimitExceeded(error) && (await isRepeat(ctx))) return false;
    throw error;
  }
}

/**
 * Renews the upload's lease in the background. If it expired, because MongoDB was unavailable, and other
 * uploads have used the limit since, `ended` is aborted with LIMIT_EXCEEDED.
 */
export function renewUpload(
  service: TransferContext,
  ctx: RequestContext,
  { id, workspace_id }: UploadId,
  ended: AbortController,
): PeriodicTask {
  const { log, store, leaseMs } = service;
  const heartbeat = periodicTask({
    everyMs: leaseMs / 3,
    run: () =>
      commitUpload(service, ctx, workspace_id, async ({ session }) => {
        // Renewed first: after a purge has removed the upload, no new guard document may appear.
        const lease = await store.uploads.renew(id, leaseMs, session);
        if (!lease) return;
        const others = await store.countUnfinished(workspace_id, id, session);
        if (lease.wasOver) checkLimit(others);
      }),
    onError(error) {
      if (isLimitExceeded(error)) ended.abort(error);
      else log.warn({ err: error, import_id: id }, 'upload lease not renewed');
    },
  });
  heartbeat.start();
  return heartbeat;
}

const commitUpload = (
  { commit }: TransferContext,
  ctx: RequestContext,
  workspaceId: string,
  work: (tx: Transaction) => Promise<void>,
) => commit({ ...ctx, idempotency: null }, work, { queueKey: `imports/${workspaceId}` });

/** An upload can take hours, and its workspace can be deleted meanwhile. */
export async function refuseDeleted({ workspaces }: TransferContext, workspaceId: string): Promise<void> {
  if ((await workspaces.deletedAmong([workspaceId])).size > 0) throw new ApiError('NOT_FOUND');
}

export function checkLimit(unfinished: number): void {
  if (unfinished < limits.importsUnfinished) return;
  throw new ApiError('LIMIT_EXCEEDED', {
    message: `A workspace has at most ${limits.importsUnfinished} imports at a time; wait for one to end.`,
  });
}

export const conflict = (message: string) => new ApiError('CONFLICT', { message, retryAfterSeconds: 1 });

const isLimitExceeded = (error: unknown) => error instanceof ApiError && error.code === 'LIMIT_EXCEEDED';

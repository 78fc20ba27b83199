import type { IncomingMessage } from 'node:http';
import { ApiError, ImportJob, limits, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { TransferContext } from '../context.ts';
import type { ImportFormat } from '../store/index.ts';
import { type ImportOptions, importedEvent, newImport } from './new-import.ts';
import { receiveFile, tooLarge } from './receive-file.ts';
import { beginUpload, checkLimit, conflict, refuseDeleted, renewUpload } from './upload.ts';

/**
 * Stores a file in chunks and creates the job that imports it. Throws NOT_FOUND when the workspace is deleted
 * meanwhile, LIMIT_EXCEEDED also when the lease expires and other uploads use the limit, and CONFLICT when
 * another upload has the same Idempotency-Key.
 */
export async function createImport(
  service: TransferContext,
  ctx: RequestContext,
  options: ImportOptions,
  request: IncomingMessage,
): Promise<ImportJob> {
  const format = formatOf(request);
  const upload = { id: newId(), workspace_id: options.workspace_id };
  const isNew = await beginUpload(service, ctx, upload);
  const ended = new AbortController();
  const heartbeat = renewUpload(service, ctx, upload, ended);
  try {
    const received = await receiveFile(service, request, isNew ? upload : null, ended.signal);
    // A file takes minutes, in which the caller may have lost its rights.
    await ctx.confirm();
    const job = await commitImport(service, ctx, options, { id: upload.id, format, ...received });
    if (job.id !== upload.id) await abandonUpload(service, upload.id);
    void service.imports.trigger();
    return job;
  } catch (error) {
    await abandonUpload(service, upload.id);
    throw error;
  } finally {
    await heartbeat.stop();
  }
}

function commitImport(
  service: TransferContext,
  ctx: RequestContext,
  options: ImportOptions,
  { sha256, ...file }: { id: string; format: ImportFormat; chunks: number; sha256: string },
): Promise<ImportJob> {
  const { commit, store, now } = service;
  const { workspace_id, dry_run } = options;
  // The file is part of the request that an Idempotency-Key identifies.
  const idempotency = ctx.idempotency && {
    ...ctx.idempotency,
    fingerprint: `${ctx.idempotency.fingerprint}/${sha256}`,
  };
  return commit(
    { ...ctx, idempotency },
    async (tx) => {
      await refuseDeleted(service, workspace_id);
      const lease = await store.uploads.end(file.id, tx.session);
      if (!lease) throw conflict('The upload was abandoned; try again.');
      const ahead = await store.countUnfinished(workspace_id, file.id, tx.session);
      if (lease.wasOver) checkLimit(ahead);
      const { qualityModel: quality_model } = ctx.access;
      // Only admins may import; an import does not know whether a key is restricted.
      const sets_rules = ctx.principal.type === 'session';
      const given = { ...file, quality_model, sets_rules, ahead, atMs: now() };
      const job = newImport(ctx, options, given);
      const { user_id, network } = job;
      for (const creator of [user_id && { user_id }, network && { network }])
        if (creator) job.ahead = Math.max(job.ahead, await store.jobs.countUnfinished(creator, tx.session));
      await store.jobs.insert(job, tx.session);
      // A check is told when its counts are known.
      if (!dry_run) tx.emit('workspace.imported', importedEvent(job));
      return ImportJob.parse(job);
    },
    { queueKey: `imports/${workspace_id}` },
  );
}

async function abandonUpload({ store, log }: TransferContext, id: string): Promise<void> {
  await store
    .abandonUpload(id)
    .catch((error) => log.warn({ err: error, import_id: id }, 'uploaded file not removed; it will expire'));
}

/** Throws UNSUPPORTED_MEDIA_TYPE, and PAYLOAD_TOO_LARGE for an announced length over the limit. */
function formatOf({ headers }: IncomingMessage): ImportFormat {
  if (Number(headers['content-length'] ?? 0) > limits.importBodyBytes) throw tooLarge();
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity' && type === 'application/json') return 'json';
  if (encoding === 'identity' && type === 'application/zip') return 'zip';
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    message:
      'Send an exported workspace as application/json or Markdown decisions as application/zip, without Content-Encoding.',
  });
}

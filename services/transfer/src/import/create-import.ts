import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError, type ImportJob, invalid, limits, MEBIBYTE, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { WorkspacePurge } from '@waymark/service-kit/store';
import type { ImportFormat, ImportStore } from '../store/index.ts';
import { importView } from './import-view.ts';
import { CHUNK_BYTES, type Given, newImport } from './new-import.ts';

const DAY_MS = 86_400_000;
/** What a crash leaves of an upload goes after this; an import must be done by then. */
export const FILE_DAYS = 3;

/**
 * Takes a file in, piece by piece, to where every replica finds it, and makes the job that reads it. An upload has a place among the
 * imports of its workspace before its first byte is stored. It may take hours, and its workspace be deleted meanwhile: then NOT_FOUND
 * is thrown, and nothing is left. Throws LIMIT_EXCEEDED, also as soon as others have its place after MongoDB was away, and CONFLICT
 * where another upload has the same Idempotency-Key.
 */
export function createImports(
  { commit, now, log }: Pick<ServiceRuntime, 'commit' | 'now' | 'log'>,
  store: ImportStore,
  { deletedAmong }: Pick<WorkspacePurge, 'deletedAmong'>,
  { begin, leaseMs }: { begin: () => void; leaseMs: number },
) {
  const afterMs = (ms: number) => new Date(now() + ms);
  const iso = (ms = 0) => afterMs(ms).toISOString();

  return async (ctx: RequestContext, given: Given, request: IncomingMessage): Promise<ImportJob> => {
    const format = formatOf(request);
    const { workspace_id } = given;
    const id = newId();
    const isNew = await takePlace(ctx, id, workspace_id);
    const ended = new AbortController();
    const heartbeat = setInterval(() => {
      keepPlace(ctx, id, workspace_id).catch((error) => {
        if (!isFull(error)) {
          log.warn({ err: error, import_id: id }, 'lease of an upload not renewed');
          return;
        }
        clearInterval(heartbeat);
        ended.abort(error);
      });
    }, leaseMs / 3);
    try {
      const of = isNew ? { import_id: id, workspace_id } : null;
      const { chunks, sha256 } = await receive(request, of, ended.signal);
      const job = await commit(
        { ...ctx, idempotency: withBody(ctx, sha256) },
        async (tx) => {
          await refuseDeleted(workspace_id);
          const leasedUntil = await store.endUpload(id, tx.session);
          if (leasedUntil === null) throw conflict('The upload was given up; try again.');
          const others = await store.countGuarded(workspace_id, id, iso(), tx.session);
          if (leasedUntil <= iso()) checkCap(others);
          const made = newImport(ctx, given, { id, format, chunks, atMs: now() });
          await store.insert(made, tx.session);
          tx.emit('workspace.imported', {
            subject: { type: 'workspace', id: workspace_id, version: 1 },
            data: { import_id: id, dry_run: given.dry_run, ids: given.ids },
          });
          return importView(made);
        },
        { queueKey: `imports/${workspace_id}` },
      );
      if (job.id !== id) await giveUp(id);
      begin();
      return job;
    } catch (error) {
      await giveUp(id);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  };

  /**
   * False for a repeat where no place is left: nothing of it needs to be stored. Whether it has the same file only the whole of it
   * tells.
   */
  async function takePlace(ctx: RequestContext, id: string, workspace_id: string): Promise<boolean> {
    const idempotency_id = ctx.idempotency?.id ?? null;
    const expires_at = afterMs(FILE_DAYS * DAY_MS);
    try {
      await commit(
        { ...ctx, idempotency: null },
        async (tx) => {
          await refuseDeleted(workspace_id);
          if (
            idempotency_id !== null &&
            (await store.isUploading(workspace_id, idempotency_id, iso(), tx.session))
          ) {
            throw conflict('A request with this Idempotency-Key is in progress; try again in a second.');
          }
          checkCap(await store.countGuarded(workspace_id, id, iso(), tx.session));
          const leased_until = iso(leaseMs);
          await store.beginUpload({ id, workspace_id, idempotency_id, leased_until, expires_at }, tx.session);
        },
        { queueKey: `imports/${workspace_id}` },
      );
      return true;
    } catch (error) {
      if (isFull(error) && (await commit.isRepeat(ctx))) return false;
      throw error;
    }
  }

  /** Where its lease is over, it takes a place again. Throws LIMIT_EXCEEDED when others have them all. */
  async function keepPlace(ctx: RequestContext, id: string, workspace_id: string): Promise<void> {
    await commit(
      { ...ctx, idempotency: null },
      async (tx) => {
        // First: where a purge has deleted it, no guard document is to come again.
        const leasedUntil = await store.renewUpload(id, iso(leaseMs), tx.session);
        if (leasedUntil === null) return;
        const others = await store.countGuarded(workspace_id, id, iso(), tx.session);
        if (leasedUntil <= iso()) checkCap(others);
      },
      { queueKey: `imports/${workspace_id}` },
    );
  }

  async function giveUp(id: string): Promise<void> {
    await store.giveUp(id).catch((error) => log.warn({ err: error, import_id: id }, 'file stays'));
  }

  async function refuseDeleted(workspaceId: string): Promise<void> {
    if ((await deletedAmong([workspaceId])).size > 0) throw new ApiError('NOT_FOUND');
  }

  /** Reads a file, and stores it as that of `of`; null for one that nobody needs. Throws what `ended` is aborted with. */
  async function receive(
    request: IncomingMessage,
    of: { workspace_id: string; import_id: string } | null,
    ended: AbortSignal,
  ) {
    const hash = createHash('sha256');
    const expires_at = afterMs(FILE_DAYS * DAY_MS);
    let parts: Buffer[] = [];
    let size = 0;
    let bytes = 0;
    let chunks = 0;
    async function addChunk(data: Buffer): Promise<void> {
      if (of) {
        await refuseDeleted(of.workspace_id);
        await store.addChunk({ ...of, expires_at, n: chunks, data });
      }
      chunks += 1;
    }
    // A refusal is to reach who is still sending: the connection is not to be broken off for it.
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      ended.throwIfAborted();
      hash.update(part);
      bytes += part.length;
      if (bytes > limits.importBodyBytes) throw tooLarge();
      parts.push(part);
      size += part.length;
      // All of one size, so that any byte is found.
      while (size >= CHUNK_BYTES) {
        const whole = Buffer.concat(parts);
        await addChunk(whole.subarray(0, CHUNK_BYTES));
        parts = [whole.subarray(CHUNK_BYTES)];
        size -= CHUNK_BYTES;
      }
    }
    if (size > 0) await addChunk(Buffer.concat(parts));
    if (bytes === 0) throw invalid('body', 'is empty; send an exported workspace or an archive');
    return { chunks, sha256: hash.digest('hex') };
  }
}

function checkCap(unfinished: number): void {
  if (unfinished < limits.importsUnfinished) return;
  throw new ApiError('LIMIT_EXCEEDED', {
    message: `A workspace has at most ${limits.importsUnfinished} imports at a time; wait for one to end.`,
  });
}

const isFull = (error: unknown) => error instanceof ApiError && error.code === 'LIMIT_EXCEEDED';

function conflict(message: string): ApiError {
  return new ApiError('CONFLICT', { message, retryAfterSeconds: 1 });
}

/** The body is part of what an Idempotency-Key stands for; it was not read when the context was made. */
function withBody({ idempotency }: RequestContext, sha256: string): RequestContext['idempotency'] {
  return idempotency && { ...idempotency, fingerprint: `${idempotency.fingerprint}/${sha256}` };
}

/** Throws UNSUPPORTED_MEDIA_TYPE, and PAYLOAD_TOO_LARGE for a length that is announced. */
function formatOf({ headers }: IncomingMessage): ImportFormat {
  if (Number(headers['content-length'] ?? 0) > limits.importBodyBytes) throw tooLarge();
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity' && type === 'application/json') return 'json';
  if (encoding === 'identity' && type === 'application/zip') return 'zip';
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    message:
      'Send an exported workspace as application/json or Markdown decisions as application/zip, as they are.',
  });
}

function tooLarge(): ApiError {
  const mebibytes = limits.importBodyBytes / MEBIBYTE;
  return new ApiError('PAYLOAD_TOO_LARGE', { message: `A file to import has at most ${mebibytes} MiB.` });
}

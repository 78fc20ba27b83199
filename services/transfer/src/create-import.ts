import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError, type ImportJob, invalid, limits, MEBIBYTE, newId } from '@waymark/contracts';
import type { RequestContext, ServiceRuntime, WorkspacePurge } from '@waymark/service-kit';
import { importView } from './import/import-view.ts';
import { type ImportFormat, type ImportRecord, type ImportStore, noCounts } from './store/imports.ts';

const CHUNK_BYTES = MEBIBYTE;
const DAY_MS = 86_400_000;
/** What a crash leaves of an upload goes after this; an import must be done by then. */
export const FILE_DAYS = 3;
const JOB_DAYS = 30;

interface Given {
  workspace_id: string;
  dry_run: boolean;
  ids: ImportJob['ids'];
}

/**
 * Takes a file in, piece by piece, to where every replica finds it, and makes the job that reads it. An upload may take hours, and
 * its workspace be deleted meanwhile: then NOT_FOUND is thrown, and nothing is left. Throws LIMIT_EXCEEDED.
 */
export function createImports(
  { commit, now, log }: Pick<ServiceRuntime, 'commit' | 'now' | 'log'>,
  store: ImportStore,
  { deletedAmong }: Pick<WorkspacePurge, 'deletedAmong'>,
  begin: () => void,
) {
  return async (ctx: RequestContext, given: Given, request: IncomingMessage): Promise<ImportJob> => {
    const format = formatOf(request);
    const { workspace_id } = given;
    // A courtesy to who would send a file for nothing; with a key it may be a repeat, which only the whole file tells.
    if (!ctx.idempotency) checkCap(await store.unfinished(workspace_id));
    const id = newId();
    try {
      const { chunks, sha256 } = await receive(id, workspace_id, request);
      const job = await commit(
        { ...ctx, idempotency: withBody(ctx, sha256) },
        async (tx) => {
          await refuseDeleted(workspace_id);
          checkCap(await store.countGuarded(workspace_id, tx.session));
          const made = newImport(ctx, given, { id, format, chunks, atMs: now() });
          await store.insert(made, tx.session);
          tx.emit('workspace.imported', {
            subject: { type: 'workspace', id: workspace_id, version: 1 },
            data: { import_id: id, dry_run: given.dry_run, ids: given.ids },
          });
          return importView(made);
        },
        { turn: `imports/${workspace_id}` },
      );
      if (job.id !== id) await store.removeFile(id);
      begin();
      return job;
    } catch (error) {
      await store.removeFile(id).catch((failure) => log.warn({ err: failure, import_id: id }, 'file stays'));
      throw error;
    }
  };

  async function refuseDeleted(workspaceId: string): Promise<void> {
    if ((await deletedAmong([workspaceId])).size > 0) throw new ApiError('NOT_FOUND');
  }

  async function receive(importId: string, workspaceId: string, request: IncomingMessage) {
    const hash = createHash('sha256');
    const expires_at = new Date(now() + FILE_DAYS * DAY_MS);
    const of = { workspace_id: workspaceId, import_id: importId, expires_at };
    let parts: Buffer[] = [];
    let size = 0;
    let bytes = 0;
    let chunks = 0;
    async function addChunk(data: Buffer): Promise<void> {
      await refuseDeleted(workspaceId);
      await store.addChunk({ ...of, n: chunks, data });
      chunks += 1;
    }
    // A refusal is to reach who is still sending: the connection is not to be broken off for it.
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
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

function newImport(
  { actor }: RequestContext,
  given: Given,
  { id, format, chunks, atMs }: { id: string; format: ImportFormat; chunks: number; atMs: number },
): ImportRecord {
  return {
    id,
    ...given,
    status: 'queued',
    phase: 'reading',
    progress: {
      done: noCounts(),
      total: null,
      stored: noCounts(),
      present: noCounts(),
      left_out: noCounts(),
    },
    issues: [],
    issue_count: 0,
    warnings: [],
    warning_count: 0,
    created_by: { type: actor.type, id: actor.id, name: actor.name },
    created_at: new Date(atMs).toISOString(),
    started_at: null,
    finished_at: null,
    format,
    chunks,
    chunk_bytes: CHUNK_BYTES,
    fence: 0,
    leased_until: '',
    due_at: new Date(atMs).toISOString(),
    cursor: { step: 0, after: -1 },
    failures: 0,
    expires_at: new Date(atMs + JOB_DAYS * DAY_MS),
  };
}

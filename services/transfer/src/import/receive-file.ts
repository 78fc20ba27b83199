import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError, invalid, limits, MEBIBYTE } from '@waymark/contracts';
import type { TransferContext } from '../context.ts';
import { CHUNK_BYTES, FILE_MS } from '../store/index.ts';
import { refuseDeleted } from './upload.ts';

/** Stores a file for `upload`; with null it only computes the hash. Throws the abort reason of `ended`. */
export async function receiveFile(
  service: TransferContext,
  request: IncomingMessage,
  upload: { id: string; workspace_id: string } | null,
  ended: AbortSignal,
): Promise<{ chunks: number; sha256: string }> {
  const hash = createHash('sha256');
  const expires_at = new Date(service.now() + FILE_MS);
  let parts: Buffer[] = [];
  let size = 0;
  let bytes = 0;
  let chunks = 0;
  async function addChunk(data: Buffer): Promise<void> {
    if (upload) {
      const { id: import_id, workspace_id } = upload;
      await refuseDeleted(service, workspace_id);
      await service.store.chunks.add({ import_id, workspace_id, expires_at }, chunks, data);
    }
    chunks += 1;
  }
  // The connection stays open, so that a client that is still sending receives a refusal.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    ended.throwIfAborted();
    hash.update(part);
    bytes += part.length;
    if (bytes > limits.importBodyBytes) throw tooLarge();
    parts.push(part);
    size += part.length;
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

export function tooLarge(): ApiError {
  const mebibytes = limits.importBodyBytes / MEBIBYTE;
  return new ApiError('PAYLOAD_TOO_LARGE', { message: `A file to import has at most ${mebibytes} MiB.` });
}

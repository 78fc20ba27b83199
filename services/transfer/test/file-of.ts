import { newId } from '@waymark/contracts';
import type { ImportFile } from '../src/import/reading/import-file.ts';

/** Returns a file to parse, in chunks of some bytes. */
export function fileOf(bytes: Buffer, chunkBytes = bytes.length): ImportFile {
  const created_by = { type: 'session' as const, id: newId(), name: null };
  return {
    job: { format: 'zip', workspace_id: newId(), created_by, created_at: '2026-01-02T03:04:05.678Z' },
    size: bytes.length,
    async chunkAt(offset) {
      if (offset >= bytes.length) throw new Error('lacks chunk');
      const from = offset - (offset % chunkBytes);
      return { data: bytes.subarray(from, from + chunkBytes), from };
    },
    beginPart: () => undefined,
  };
}

import { MEBIBYTE } from '@waymark/contracts';
import { type Database, removeInRounds } from '@waymark/service-kit/store';
import { Binary } from 'mongodb';
import type { ImportRecord } from './jobs.ts';

/** The size of each chunk of a file except the last. The fixed size locates any byte. */
export const CHUNK_BYTES = MEBIBYTE;

/** MongoDB removes a file and its rows after this time. */
export const FILE_MS = 3 * 86_400_000;

interface StoredChunk {
  _id: string;
  workspace_id: string;
  import_id: string;
  data: Binary;
  expires_at: Date;
}

export const CHUNKS = 'import_chunks';

export function importChunks(database: Database) {
  const chunks = database.collection<StoredChunk>(CHUNKS);

  async function read(importId: string, n: number): Promise<Buffer> {
    const found = await chunks.findOne({ _id: `${importId}/${n}` });
    if (!found) throw new Error(`import ${importId} lacks chunk ${n}`);
    return Buffer.from(found.data.buffer);
  }

  return {
    async add(
      chunk: { workspace_id: string; import_id: string; expires_at: Date },
      n: number,
      data: Buffer,
    ): Promise<void> {
      await chunks.insertOne({ _id: `${chunk.import_id}/${n}`, ...chunk, data: new Binary(data) });
    },

    read,

    /** Returns the chunk that holds a byte of the file, and the chunk's offset. */
    async readAt(importId: string, offset: number): Promise<{ data: Buffer; from: number }> {
      const n = Math.floor(offset / CHUNK_BYTES);
      return { data: await read(importId, n), from: n * CHUNK_BYTES };
    },

    async fileBytes({ id, chunks: count }: ImportRecord): Promise<number> {
      return (count - 1) * CHUNK_BYTES + (await read(id, count - 1)).length;
    },

    remove: (importId: string) => removeInRounds(chunks, { import_id: importId }),
  };
}

import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { decrypted, encrypted } from './age.ts';
import type { Place } from './place.ts';

const AT_ONCE = { documents: 1_000, bytes: 4 * 1024 * 1024 };
/** An empty document: its length and a final zero. */
const LEAST_BSON_BYTES = 5;
/** MongoDB's limit, and what it adds to a document for its own use. */
const MOST_BSON_BYTES = (16 * 1024 + 16) * 1024;

/** The path of a file of documents, whose name tells how to read it. */
export const pathOf = (name: string, isEncrypted: boolean) => `${name}.bson.gz${isEncrypted ? '.age' : ''}`;

/** Writes BSON documents to a file, gzipped and encrypted with age if there are recipients. */
export async function writeDocuments(
  place: Place,
  name: string,
  documents: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): Promise<void> {
  const zipped = through(Readable.from(documents), createGzip({ level: 1 }));
  const isEncrypted = recipients.length > 0;
  const content = isEncrypted ? await encrypted(zipped, recipients) : zipped;
  await place.write(pathOf(name, isEncrypted), content);
}

/** Ends `to` with the error of `from`, which `from.pipe(to)` would not. */
function through(from: Readable, to: Transform): Readable {
  pipeline(from, to, () => undefined);
  return to;
}

/** Reads consecutive BSON documents. Throws errors that name the file. */
export async function* readDocuments(
  place: Place,
  name: string,
  identities: readonly string[] | null,
): AsyncGenerator<Buffer> {
  const path = pathOf(name, identities !== null);
  try {
    const content = await place.read(path);
    yield* documentsIn(identities ? await decrypted(content, identities) : content);
  } catch (cause) {
    throw new Error(`${place.name}/${path}: ${(cause as Error).message}`, { cause });
  }
}

/** Each document starts with its length. Copies each byte once. */
async function* documentsIn(zipped: Readable): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let needed = LEAST_BSON_BYTES;
  for await (const chunk of through(zipped, createGunzip())) {
    parts.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let rest = Buffer.concat(parts);
    function lengthOfNext(): number {
      const length = rest.length < LEAST_BSON_BYTES ? LEAST_BSON_BYTES : rest.readInt32LE(0);
      if (length >= LEAST_BSON_BYTES && length <= MOST_BSON_BYTES) return length;
      throw new Error('a document is not BSON');
    }
    for (needed = lengthOfNext(); needed <= rest.length; needed = lengthOfNext()) {
      yield rest.subarray(0, needed);
      rest = rest.subarray(needed);
    }
    parts = [rest];
    size = rest.length;
  }
  if (size > 0) throw new Error('it ends inside a document');
}

/** Groups documents so that a batch of large ones stays small in memory, and fits into one command. */
export async function* batches(documents: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for await (const document of documents) {
    if (batch.length === AT_ONCE.documents || (bytes > 0 && bytes + document.length > AT_ONCE.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(document);
    bytes += document.length;
  }
  if (batch.length > 0) yield batch;
}

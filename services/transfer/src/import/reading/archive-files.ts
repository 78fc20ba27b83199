import { isUtf8 } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { limits, MEBIBYTE } from '@waymark/contracts';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { isMadrFile } from '../../madr/madr-file-name.ts';
import { FileFault } from './file-fault.ts';
import type { FileChunk, ImportFile } from './import-file.ts';

/** The name is a path within the archive and is never used to open a local file. */
export interface ArchiveFile {
  name: string;
  text: string;
}

/** An archive that is not ZIP64 states this count also if it has more files. */
const COUNT_MAX = 0xffff;
/** Reads alternate between the directory and the files. */
const CHUNKS_CACHED = 4;

/** Without the streams of the library, which take more time than a small file. */
class ChunkReader extends RandomAccessReader {
  readonly #file: ImportFile;
  #cached: FileChunk[] = [];
  constructor(file: ImportFile) {
    super();
    this.#file = file;
  }
  async #chunkAt(offset: number): Promise<FileChunk> {
    const cached = this.#cached.find(({ from, data }) => from <= offset && offset < from + data.length);
    if (cached) return cached;
    const chunk = await this.#file.chunkAt(offset);
    this.#cached = [chunk, ...this.#cached.slice(0, CHUNKS_CACHED - 1)];
    return chunk;
  }
  async copy(target: Buffer, position: number): Promise<void> {
    if (position + target.length > this.#file.size) throw new Error('unexpected end of file');
    for (let copied = 0; copied < target.length; ) {
      const { data, from } = await this.#chunkAt(position + copied);
      const part = data.subarray(position + copied - from, position + target.length - from);
      target.set(part, copied);
      copied += part.length;
    }
  }
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.copy(buffer.subarray(offset, offset + length), position).then(() => callback(null), callback);
  }
}

/**
 * Yields the Markdown files of an archive one by one. Throws FileFault for a file that is not an archive, for
 * too many files or unpacked bytes, and for files that overlap: a small archive could unpack for hours.
 */
export async function* archiveFiles(file: ImportFile): AsyncGenerator<ArchiveFile> {
  const options = { autoClose: false, validateEntrySizes: true };
  const reader = new ChunkReader(file);
  const zip = await fromRandomAccessReaderPromise(reader, file.size, options).catch(damaged);
  try {
    yield* filesIn(zip, reader, file);
  } finally {
    zip.close();
  }
}

async function* filesIn(
  zip: ZipFile,
  reader: ChunkReader,
  { size, beginPart }: ImportFile,
): AsyncGenerator<ArchiveFile> {
  let files = 0;
  let bytes = 0;
  let packedBytes = 0;
  const entries = zip.eachEntry();
  for (;;) {
    const { done, value: entry } = await entries.next().catch(damaged);
    if (done && files === COUNT_MAX) damaged(`it states no more than ${COUNT_MAX} files; write it as ZIP64`);
    if (done) return;
    beginPart(entry.fileName);
    files += 1;
    if (files > limits.madrFiles)
      throw new FileFault('', `The archive has more than ${limits.madrFiles} files.`);
    if (!isMadrFile(entry.fileName)) continue;
    packedBytes += entry.compressedSize;
    if (packedBytes > size) damaged('its files overlap');
    const content = await contentOf(zip, reader, entry).catch(damaged);
    bytes += content.length;
    if (bytes > limits.madrArchiveBytes) {
      throw new FileFault('', `The archive unpacks to more than ${limits.madrArchiveBytes / MEBIBYTE} MiB.`);
    }
    if (!isUtf8(content)) throw new FileFault(entry.fileName, 'is not UTF-8');
    yield { name: entry.fileName, text: content.toString() };
  }
}

async function contentOf(zip: ZipFile, reader: ChunkReader, entry: Entry): Promise<Buffer> {
  const { fileName, compressedSize, uncompressedSize } = entry;
  if (Math.max(compressedSize, uncompressedSize) > limits.madrFileBytes)
    throw new FileFault(fileName, `unpacks to more than ${limits.madrFileBytes} bytes`);
  if (!entry.canDecodeFileData()) throw new FileFault(fileName, 'is encrypted, or not packed by deflate');
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = Buffer.alloc(compressedSize);
  await reader.copy(packed, fileDataStart);
  if (!entry.isCompressed()) return packed;
  const content = inflateRawSync(packed, { maxOutputLength: uncompressedSize || 1 });
  if (content.length !== uncompressedSize) throw new Error('a file has another size than it states');
  return content;
}

function damaged(error: unknown): never {
  if (error instanceof FileFault) throw error;
  const reason = error instanceof Error ? error.message : error;
  throw new FileFault('', `The file is not a ZIP archive, or is damaged: ${reason}`);
}

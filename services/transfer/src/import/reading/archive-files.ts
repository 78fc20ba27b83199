import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { limits, MEBIBYTE } from '@waymark/contracts';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
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
  async *#bytes(start: number, end: number) {
    for (let at = start; at < end; ) {
      const { data, from } = await this.#chunkAt(at);
      const part = data.subarray(at - from, end - from);
      yield part;
      at += part.length;
    }
  }
  async #copy(target: Buffer, position: number): Promise<void> {
    let copied = 0;
    for await (const part of this.#bytes(position, Math.min(position + target.length, this.#file.size))) {
      target.set(part, copied);
      copied += part.length;
    }
    if (copied < target.length) throw new Error('unexpected end of file');
  }
  /** Replaces the streams of the library, which take ten times longer for the entries of a directory. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#copy(buffer.subarray(offset, offset + length), position).then(() => callback(null), callback);
  }
  /** Ends at the end of the file, whatever sizes the archive declares. */
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes(start, Math.min(end, this.#file.size)), { objectMode: false });
  }
}

/**
 * Yields the Markdown files of an archive one by one. Throws FileFault for a file that is not an archive, for
 * too many files or unpacked bytes, and for files that overlap: a small archive could unpack for hours.
 */
export async function* archiveFiles(file: ImportFile): AsyncGenerator<ArchiveFile> {
  const options = { autoClose: false, validateEntrySizes: true };
  const zip = await fromRandomAccessReaderPromise(new ChunkReader(file), file.size, options).catch(damaged);
  try {
    yield* filesIn(zip, file);
  } finally {
    zip.close();
  }
}

async function* filesIn(zip: ZipFile, { size, beginPart }: ImportFile): AsyncGenerator<ArchiveFile> {
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
    if (!isRecord(entry)) continue;
    packedBytes += entry.compressedSize;
    if (packedBytes > size) damaged('its files overlap');
    const content = await contentOf(zip, entry);
    bytes += content.length;
    if (bytes > limits.madrArchiveBytes) {
      throw new FileFault('', `The archive unpacks to more than ${limits.madrArchiveBytes / MEBIBYTE} MiB.`);
    }
    if (!isUtf8(content)) throw new FileFault(entry.fileName, 'is not UTF-8');
    yield { name: entry.fileName, text: content.toString() };
  }
}

/** Skips hidden files, templates and tables of contents, by their names. */
function isRecord({ fileName }: Entry): boolean {
  if (!/\.(?:md|markdown)$/i.test(fileName) || /(?:^|\/)(?:\.|__MACOSX\/)/.test(fileName)) return false;
  return !/^(?:readme|index|.*template)\.[a-z]+$/i.test(posix.basename(fileName));
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.uncompressedSize > limits.madrFileBytes) throw tooLarge(entry);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > limits.madrFileBytes) throw tooLarge(entry);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof FileFault) throw error;
    damaged(error);
  }
  return Buffer.concat(parts);
}

const tooLarge = ({ fileName }: Entry) =>
  new FileFault(fileName, `unpacks to more than ${limits.madrFileBytes} bytes`);

function damaged(error: unknown): never {
  const reason = error instanceof Error ? error.message : error;
  throw new FileFault('', `The file is not a ZIP archive, or is damaged: ${reason}`);
}

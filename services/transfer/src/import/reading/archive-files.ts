import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { limits, MEBIBYTE } from '@waymark/contracts';
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl';
import type { Work } from '../work.ts';
import { FileFault } from './json-records.ts';

/** A Markdown file of an archive; its name is a path within it, never one of ours. */
export interface ArchiveFile {
  name: string;
  text: string;
}

interface Piece {
  data: Buffer;
  from: number;
}

const PIECES_KEPT = 4;

/** An archive that lies in pieces; what is read of it is read where it lies. */
class ChunkReader extends RandomAccessReader {
  readonly #work: Work;
  readonly size: number;
  /** Why a piece could not be had: what is said of the archive then is not true of it. */
  failure: unknown;
  #pieces: Piece[] = [];
  constructor(work: Work, size: number) {
    super();
    this.#work = work;
    this.size = size;
  }
  /** Of the directory and of the files, which are read in turn. */
  async #pieceAt(at: number): Promise<Piece> {
    const known = this.#pieces.find(({ from, data }) => from <= at && at < from + data.length);
    if (known) return known;
    const piece = await this.#work.store.chunkAt(this.#work.job, at).catch((error: unknown) => {
      this.failure = error;
      throw error;
    });
    this.#pieces = [piece, ...this.#pieces.slice(0, PIECES_KEPT - 1)];
    return piece;
  }
  /** Ends where the file does, wherever the archive says that it goes on. */
  override _readStreamForRange(start: number, beyond: number): Readable {
    const pieceAt = (at: number) => this.#pieceAt(at);
    const end = Math.min(beyond, this.size);
    return Readable.from(
      (async function* () {
        for (let at = start; at < end; ) {
          const { data, from } = await pieceAt(at);
          const piece = data.subarray(at - from, end - from);
          yield piece;
          at += piece.length;
        }
      })(),
      { objectMode: false },
    );
  }
}

/**
 * The Markdown files of an archive, one after another. Throws FileFault for what is no archive, for too many files, for
 * more bytes than are allowed, whatever the archive says of its sizes, and for files that lie on each other, of which a small archive
 * could have hours.
 */
export async function* archiveFiles(work: Work): AsyncGenerator<ArchiveFile> {
  const reader = new ChunkReader(work, await work.store.fileBytes(work.job));
  try {
    yield* filesIn(reader, work);
  } catch (error) {
    throw reader.failure ?? error;
  }
}

async function* filesIn(reader: ChunkReader, work: Work): AsyncGenerator<ArchiveFile> {
  const zip = await opened(reader);
  let files = 0;
  let bytes = 0;
  let packed = 0;
  try {
    for await (const entry of entriesOf(zip)) {
      await work.pass();
      files += 1;
      if (files > limits.madrFiles)
        throw new FileFault('', `The archive has more than ${limits.madrFiles} files.`);
      if (!isRecord(entry)) continue;
      const { fileName } = entry;
      packed += entry.compressedSize;
      if (packed > reader.size) throw damaged('its files lie on each other');
      const content = await contentOf(zip, entry);
      bytes += content.length;
      if (bytes > limits.madrArchiveBytes) {
        throw new FileFault(
          '',
          `The archive unpacks to more than ${limits.madrArchiveBytes / MEBIBYTE} MiB.`,
        );
      }
      if (!isUtf8(content)) throw new FileFault(fileName, 'is not UTF-8');
      yield { name: fileName, text: content.toString() };
    }
  } finally {
    zip.close();
  }
}

function isRecord({ fileName }: Entry): boolean {
  if (!/\.(?:md|markdown)$/i.test(fileName) || /(?:^|\/)(?:\.|__MACOSX\/)/.test(fileName)) return false;
  // What a template or a table of contents is called by custom.
  return !/^(?:readme|index|.*template)\.[a-z]+$/i.test(posix.basename(fileName));
}

const damaged = (error: unknown) =>
  new FileFault(
    '',
    `The file is no ZIP archive, or is damaged: ${error instanceof Error ? error.message : error}`,
  );

async function opened(reader: ChunkReader): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;
    fromRandomAccessReader(reader, reader.size, options, (error, zip) => {
      if (error) reject(damaged(error));
      else resolve(zip);
    });
  });
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      const settle = (act: () => void) => {
        zip.removeAllListeners();
        act();
      };
      zip.once('entry', (found: Entry) => settle(() => resolve(found)));
      zip.once('end', () => settle(() => resolve(null)));
      zip.once('error', (error: unknown) => settle(() => reject(damaged(error))));
      zip.readEntry();
    });
    if (!entry) return;
    yield entry;
  }
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.uncompressedSize > limits.madrFileBytes) throw tooLarge(entry);
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened_) => (error ? reject(damaged(error)) : resolve(opened_)));
  });
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > limits.madrFileBytes) throw tooLarge(entry);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof FileFault ? error : damaged(error);
  }
  return Buffer.concat(parts);
}

function tooLarge({ fileName }: Entry): FileFault {
  return new FileFault(fileName, `unpacks to more than ${limits.madrFileBytes} bytes`);
}

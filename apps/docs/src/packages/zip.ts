import { crc32, deflateRawSync } from 'node:zlib';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** ZIP 2.0, which has folders and Deflate. */
const VERSION = 20;
/** With attributes of Unix. */
const MADE_BY = (3 << 8) | VERSION;
const UTF_8 = 1 << 11;
const DEFLATE = 8;
/** 1980-01-01, the first day that the format knows. */
const DATE = (1 << 5) | 1;
/** A regular file that all may read. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;

/** Returns a ZIP archive (APPNOTE 6.3.9) of files by name; the same files have the same bytes. */
export function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content, { level: 9 });
    const title = Buffer.from(name);
    const common = Buffer.concat([
      words16(VERSION, UTF_8, DEFLATE, 0, DATE),
      words(crc32(content), packed.length, content.length),
      words16(title.length, 0),
    ]);
    const rest = [words16(0, 0, 0), words(ATTRIBUTES, offset)];
    directory.push(words(CENTRAL), words16(MADE_BY), common, ...rest, title);
    const entry = Buffer.concat([words(LOCAL), common, title, packed]);
    entries.push(entry);
    offset += entry.length;
  }
  const listed = Buffer.concat(directory);
  const count = Object.keys(files).length;
  const end = [words(END), words16(0, 0, count, count), words(listed.length, offset), words16(0)];
  return Buffer.concat([...entries, listed, ...end]);
}

const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
const words16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);

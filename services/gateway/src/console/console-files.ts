import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file of the built console, in every coding that a browser may ask for. */
export interface ConsoleFile {
  type: string;
  /** Its name changes with its content, so that a browser need never ask for it again. */
  immutable: boolean;
  plain: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

/** Gives the file of a URL path, or null. */
export type ConsoleFiles = (path: string) => Promise<ConsoleFile> | null;

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const ALREADY_COMPRESSED = new Set(['.png', '.woff2']);
const HASHED = '/assets/';
const BROTLI_QUALITY = 9;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * The files of a console that is built in `directory`; null when none is. Each is read and compressed when it is first asked for,
 * and kept: a path from a client only ever picks from the list that is made here.
 */
export function consoleFiles(directory: string): ConsoleFiles | null {
  const paths = new Set(filesBelow(directory));
  if (!paths.has('/index.html')) return null;
  const kept = new Map<string, Promise<ConsoleFile>>();
  return (path) => {
    if (!paths.has(path)) return null;
    const known = kept.get(path);
    if (known) return known;
    const made = readConsoleFile(directory, path);
    kept.set(path, made);
    made.catch(() => kept.delete(path));
    return made;
  };
}

function filesBelow(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length).replaceAll(sep, '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readConsoleFile(directory: string, path: string): Promise<ConsoleFile> {
  const plain = await readFile(join(directory, path));
  const extension = extname(path);
  const compresses = !ALREADY_COMPRESSED.has(extension);
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    immutable: path.startsWith(HASHED),
    plain,
    br: compresses
      ? await compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
      : null,
    gzip: compresses ? await compressGzip(plain) : null,
  };
}

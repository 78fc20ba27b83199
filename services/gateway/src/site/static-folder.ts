import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { contentTag, type StaticFile } from '../http/respond.ts';

const TYPES: Record<string, string> = {
  '': 'text/plain; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.whl': 'application/zip',
  '.woff2': 'font/woff2',
};
/** The types of files that are compressed already. */
const DENSE = new Set(['.png', '.tgz', '.webp', '.whl', '.woff2']);
/** The compressed copies of other files. */
const COPIES = /\.(?:br|gz)$/;
/** Stands for the address of the installation in built files. */
const ADDRESS = '__PUBLIC_URL__';

/**
 * Returns the function that finds the file at a URL path. A path only selects from the list of the folder's
 * files and never reaches the file system. Each file is read once, at its first request.
 */
export function staticFolder(
  directory: string,
  publicUrl: string,
): (path: string) => Promise<StaticFile> | null {
  const { origin } = new URL(publicUrl);
  const names = new Set(filesBelow(directory));
  const files = new Map<string, Promise<StaticFile>>();

  const read = (name: string) => (names.has(name) ? readFile(join(directory, name)) : null);
  async function open(path: string): Promise<StaticFile> {
    const [stored, storedGzip, br] = await Promise.all([
      readFile(join(directory, path)),
      read(`${path}.gz`),
      read(`${path}.br`),
    ]);
    const extension = extname(path);
    const type = TYPES[extension] ?? 'application/octet-stream';
    if (DENSE.has(extension) || (storedGzip && !stored.includes(ADDRESS))) {
      return { type, plain: stored, gzip: storedGzip, br, etag: contentTag(stored) };
    }
    const plain = Buffer.from(stored.toString().replaceAll(ADDRESS, () => origin));
    return { type, plain, gzip: await promisify(gzip)(plain), br: null, etag: contentTag(plain) };
  }

  return (path) => {
    if (!names.has(path) || COPIES.test(path)) return null;
    const known = files.get(path);
    if (known) return known;
    const file = open(path);
    files.set(path, file);
    file.catch(() => files.delete(path));
    return file;
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

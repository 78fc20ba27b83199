import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { compressFile, type StaticFile } from '../exchange/static-file.ts';

/** Returns the file at a URL path, or null. */
export type ConsoleFiles = (path: string) => Promise<StaticFile> | null;

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

/**
 * The files of the console built in `directory`; null when it is not built. Each file is read and compressed
 * at its first request, and cached. A client's path only selects from the list of files, so it never reaches
 * the file system.
 */
export function consoleFiles(directory: string): ConsoleFiles | null {
  const paths = new Set(filesBelow(directory));
  if (!paths.has('/index.html')) return null;
  const cache = new Map<string, Promise<StaticFile>>();
  return (path) => {
    if (!paths.has(path)) return null;
    const cached = cache.get(path);
    if (cached) return cached;
    const file = readConsoleFile(directory, path);
    cache.set(path, file);
    file.catch(() => cache.delete(path));
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

async function readConsoleFile(directory: string, path: string): Promise<StaticFile> {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return compressFile(type, await readFile(join(directory, path)), true);
}

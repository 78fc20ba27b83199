import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { type StaticFile, sendFile, sendStaticFile } from '../http/respond.ts';
import type { PageServer } from '../middleware/pages.ts';
import type { GatewayResponse } from '../request-state.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
const PAGE = '/index.html';
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The name of a file below this path changes with its content, so browsers never have to revalidate it. */
const HASHED = '/assets/';
/** Copies of other files. */
const COMPRESSED = /\.(?:br|gz)$/;
const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const ADDRESS_PLACEHOLDER = /__PUBLIC_URL__/g;
const NOT_BUILT = 'The console is not built here: npm run build -w apps/console\nThe API is at /v1.\n';

/**
 * Serves the console built in `directory`: its files, and its page for every address that a browser navigates
 * to, so that a link into the console opens there.
 */
export function serveConsole(directory: string, publicUrl: string): PageServer {
  const { origin } = new URL(publicUrl);
  const fileAt = consoleFiles(directory);
  return async (response) => {
    const { path } = response.locals;
    if (!['GET', 'HEAD'].includes(response.req.method)) return false;
    const file = path === PAGE ? null : fileAt(path);
    if (file) {
      sendStaticFile(response, await file, {
        cacheControl: path.startsWith(HASHED) ? IMMUTABLE : 'no-cache',
      });
      return true;
    }
    if (!isNavigation(response)) return false;
    const page = fileAt(PAGE);
    if (page) sendPage(response, await page, origin);
    else sendFile(response, { type: 'text/plain; charset=utf-8', body: Buffer.from(NOT_BUILT) });
    return true;
  };
}

/** Returns the file at a URL path, which only selects from a list and so never reaches the file system. */
function consoleFiles(directory: string): (path: string) => Promise<StaticFile> | null {
  const stored = new Set(filesBelow(directory));
  const paths = new Set([...stored].filter((path) => !COMPRESSED.test(path)));
  const files = new Map<string, Promise<StaticFile>>();
  return (path) => {
    if (!paths.has(path) || !paths.has(PAGE)) return null;
    const cached = files.get(path);
    if (cached) return cached;
    const file = readConsoleFile(directory, path, stored);
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

/** Reads a file with its compressed copies, which the build of the console made. */
async function readConsoleFile(
  directory: string,
  path: string,
  stored: ReadonlySet<string>,
): Promise<StaticFile> {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const read = async (name: string) => (stored.has(name) ? readFile(join(directory, name)) : null);
  const [plain, gzip, br] = await Promise.all([
    readFile(join(directory, path)),
    read(`${path}.gz`),
    read(`${path}.br`),
  ]);
  return { type, plain, gzip, br };
}

/** Whether a browser opens an address, as opposed to a script or a program that calls a wrong path. */
function isNavigation({ req: { headers }, locals: { path } }: GatewayResponse): boolean {
  if (path.startsWith(HASHED) || path.startsWith('/docs')) return false;
  const mode = headers['sec-fetch-mode'];
  return (mode === undefined || mode === 'navigate') && (headers.accept ?? '').includes('text/html');
}

function sendPage(response: GatewayResponse, page: StaticFile, origin: string): void {
  const nonce = randomBytes(18).toString('base64');
  const html = page.plain
    .toString()
    .replace(NONCE_PLACEHOLDER, nonce)
    .replace(ADDRESS_PLACEHOLDER, () => origin);
  sendFile(response, {
    type: page.type,
    body: Buffer.from(html),
    headers: ['Cross-Origin-Opener-Policy', 'same-origin'],
    cacheControl: 'no-cache',
    policy: pagePolicy(nonce),
  });
}

/** Allows the page its own files only. Only styles have a nonce; docs/decisions/0016 says why. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

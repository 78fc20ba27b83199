import { randomBytes } from 'node:crypto';
import type { Exchange } from '../exchange/exchange.ts';
import { sendFile } from '../exchange/respond.ts';
import { type StaticFile, sendStaticFile } from '../exchange/static-file.ts';
import type { ConsoleFiles } from './console-files.ts';

/** Answers a request for the console; returns false, without an answer, for any other request. */
export type ServeConsole = (exchange: Exchange) => Promise<boolean>;

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The name of a file below this path changes with its content, so browsers never have to revalidate it. */
const HASHED = '/assets/';
const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const NOT_BUILT = 'The console is not built here: npm run build -w apps/console\nThe API is at /v1.\n';

/**
 * Serves the built console: its files, and its page for every address that a browser navigates to, so that a
 * link into the console opens there. `files` is null when no console is built. Charges no rate limit.
 */
export function serveConsole(files: ConsoleFiles | null): ServeConsole {
  return async (exchange) => {
    const { request, path } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const file = path === '/index.html' ? null : files?.(path);
    if (file) {
      sendStaticFile(exchange, await file, {
        cacheControl: path.startsWith(HASHED) ? IMMUTABLE : 'no-cache',
      });
      return true;
    }
    if (!isNavigation(exchange)) return false;
    const page = files?.('/index.html');
    if (page) sendPage(exchange, await page);
    else sendFile(exchange, { type: 'text/plain; charset=utf-8', body: Buffer.from(NOT_BUILT) });
    return true;
  };
}

/** Whether a browser opens an address, as opposed to a script or a program that calls a wrong path. */
function isNavigation({ path, request: { headers } }: Exchange): boolean {
  if (path.startsWith(HASHED) || path.startsWith('/docs')) return false;
  const mode = headers['sec-fetch-mode'];
  return (mode === undefined || mode === 'navigate') && (headers.accept ?? '').includes('text/html');
}

function sendPage(exchange: Exchange, page: StaticFile): void {
  const nonce = randomBytes(18).toString('base64');
  sendFile(exchange, {
    type: page.type,
    body: Buffer.from(page.plain.toString().replace(NONCE_PLACEHOLDER, nonce)),
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
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

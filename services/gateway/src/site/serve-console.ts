import { randomBytes } from 'node:crypto';
import { type StaticFile, sendFile, sendStaticFile } from '../http/respond.ts';
import type { PageServer } from '../middleware/pages.ts';
import type { GatewayResponse } from '../request-state.ts';
import { staticFolder } from './static-folder.ts';

const PAGE = '/index.html';
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The name of a file below this path changes with its content, so browsers never have to revalidate it. */
const HASHED = '/assets/';
const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const NOT_BUILT = 'The console is not built here: npm run build -w apps/console\nThe API is at /v1.\n';

/**
 * Serves the console built in `directory`: its files, and its page for every address that a browser navigates
 * to, so that a link into the console opens there.
 */
export function serveConsole(directory: string, publicUrl: string): PageServer {
  const fileAt = staticFolder(directory, publicUrl);
  return async (response) => {
    const { path } = response.locals;
    const file = path === PAGE ? null : fileAt(path);
    if (file) {
      sendStaticFile(response, await file, {
        cacheControl: path.startsWith(HASHED) ? IMMUTABLE : 'no-cache',
      });
      return true;
    }
    if (!isNavigation(response)) return false;
    const page = fileAt(PAGE);
    if (page) sendPage(response, await page);
    else sendFile(response, { type: 'text/plain; charset=utf-8', body: Buffer.from(NOT_BUILT) });
    return true;
  };
}

/** Whether a browser opens an address, as opposed to a script or a program that calls a wrong path. */
function isNavigation({ req: { headers }, locals: { path } }: GatewayResponse): boolean {
  if ([HASHED, '/docs', '/.well-known/'].some((start) => path.startsWith(start))) return false;
  const mode = headers['sec-fetch-mode'];
  return (mode === undefined || mode === 'navigate') && (headers.accept ?? '').includes('text/html');
}

function sendPage(response: GatewayResponse, page: StaticFile): void {
  const nonce = randomBytes(18).toString('base64');
  sendFile(response, {
    type: page.type,
    body: Buffer.from(page.plain.toString().replace(NONCE_PLACEHOLDER, nonce)),
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

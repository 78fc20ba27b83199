import { randomBytes } from 'node:crypto';
import type { Exchange } from '../exchange/exchange.ts';
import { sendFile } from '../exchange/respond.ts';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';

/** Answers a request for the console; false when it is none, and nothing has been answered. */
export type ServeConsole = (exchange: Exchange) => Promise<boolean>;

const IMMUTABLE = 'public, max-age=31536000, immutable';
const NONCE_PLACE = /__CSP_NONCE__/g;
const NOT_BUILT = 'The console is not built here: npm run build -w apps/console\nThe API is at /v1.\n';

/**
 * Serves the built console: its files, and its one page for every address to which somebody navigates, so that a link into the
 * console opens it there. `files` is null when no console is built. Nobody's rate limit is charged.
 */
export function serveConsole(files: ConsoleFiles | null): ServeConsole {
  return async (exchange) => {
    const { request, path } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const file = path === '/index.html' ? null : files?.(path);
    if (file) {
      send(exchange, await file);
      return true;
    }
    if (!isNavigation(exchange)) return false;
    const page = files?.('/index.html');
    if (page) sendPage(exchange, await page);
    else sendFile(exchange, { type: 'text/plain; charset=utf-8', body: Buffer.from(NOT_BUILT) });
    return true;
  };
}

/** A person's browser that opens an address, other than a script or a program that calls a wrong path. */
function isNavigation({ path, request: { headers } }: Exchange): boolean {
  if (path.startsWith('/assets/') || path.startsWith('/docs')) return false;
  const mode = headers['sec-fetch-mode'];
  return (mode === undefined || mode === 'navigate') && (headers.accept ?? '').includes('text/html');
}

function send(exchange: Exchange, file: ConsoleFile): void {
  const accepted = (exchange.request.headers['accept-encoding'] ?? '').split(',').map(codingOf);
  const coding = (['br', 'gzip'] as const).find((name) => file[name] && accepted.includes(name));
  sendFile(exchange, {
    type: file.type,
    body: coding ? file[coding]! : file.plain,
    headers: ['Vary', 'Accept-Encoding', ...(coding ? ['Content-Encoding', coding] : [])],
    cacheControl: file.immutable ? IMMUTABLE : 'no-cache',
  });
}

/** The coding that one item of Accept-Encoding admits: `br;q=0` admits none. */
function codingOf(item: string): string {
  const [coding = '', ...parameters] = item.trim().toLowerCase().split(';');
  const refused = parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
  return refused ? '' : coding.trim();
}

function sendPage(exchange: Exchange, page: ConsoleFile): void {
  const nonce = randomBytes(18).toString('base64');
  sendFile(exchange, {
    type: page.type,
    body: Buffer.from(page.plain.toString().replace(NONCE_PLACE, nonce)),
    headers: ['Cross-Origin-Opener-Policy', 'same-origin'],
    cacheControl: 'no-cache',
    policy: pagePolicy(nonce),
  });
}

/** What the console's page may load and run: its own files. Scripts never by nonce; docs/decisions says why styles. */
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

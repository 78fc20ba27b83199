import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { matchesWeakly } from '@waymark/service-kit/http';
import type { Exchange } from '../exchange/exchange.ts';
import { compressFile, sendNothing, sendStaticFile, withPolicy } from '../exchange/respond.ts';
import { docsPages, REFERENCE_SCRIPT_PATH, STYLE_PATH, TRY_PATH } from './pages.ts';

const TYPES: Record<string, string> = {
  [STYLE_PATH]: 'text/css; charset=utf-8',
  [REFERENCE_SCRIPT_PATH]: 'text/javascript; charset=utf-8',
};
const REVALIDATE = 'no-cache';
const PAGE_POLICY = policy("style-src 'self'", "img-src 'self'", "font-src 'self'");
/** Scalar creates styles at run time and supports no nonce; scripts are files of this origin only. */
const TRY_POLICY = policy(
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
);

function policy(...directives: string[]): string {
  const last = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...directives, ...last].join('; ');
}

/** Answers a request for a page about the API; returns false, without an answer, for any other request. */
export function serveDocs(): (exchange: Exchange) => Promise<boolean> {
  const pages = docsPages();
  const files = new Map<string, ReturnType<typeof docsFile>>();

  function read(path: string): Buffer | null {
    const text = pages.get(path);
    if (text !== undefined) return Buffer.from(text);
    return path === REFERENCE_SCRIPT_PATH ? referenceScript() : null;
  }

  return async (exchange) => {
    const { request, path } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const plain = files.has(path) ? null : read(path);
    if (plain) files.set(path, docsFile(path, plain));
    const file = await files.get(path);
    if (!file) return false;
    const own = ['ETag', file.etag];
    if (matchesWeakly(request.headers['if-none-match'], file.etag)) {
      sendNothing(withPolicy(exchange, file.policy), 304, [...own, 'Vary', 'Accept-Encoding'], REVALIDATE);
    } else {
      sendStaticFile(exchange, file, { headers: own, cacheControl: REVALIDATE, policy: file.policy });
    }
    return true;
  };
}

async function docsFile(path: string, plain: Buffer) {
  const file = await compressFile(TYPES[path] ?? 'text/html; charset=utf-8', plain);
  const policy = path === TRY_PATH ? TRY_POLICY : PAGE_POLICY;
  return { ...file, etag: `"${hash('sha256', plain, 'base64url')}"`, policy };
}

/** Scalar's script: beside the program in an image, else in its package; null without either. */
function referenceScript(): Buffer | null {
  const candidates = [
    () => new URL('reference.js', import.meta.url),
    () =>
      join(dirname(findPackageJSON('@scalar/api-reference', import.meta.url)!), 'dist/browser/standalone.js'),
  ];
  for (const locate of candidates) {
    try {
      return readFileSync(locate());
    } catch {
      // Try the next candidate.
    }
  }
  return null;
}

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { matches } from '@waymark/service-kit/http';
import type { Exchange } from '../exchange/exchange.ts';
import { sendNothing } from '../exchange/respond.ts';
import { compressFile, type StaticFile, sendStaticFile } from '../exchange/static-file.ts';
import { docsPages, REFERENCE_SCRIPT_PATH } from './pages.ts';

const REVALIDATE = 'no-cache';
const PAGE_POLICY = policy("style-src 'self'");
/** Scalar creates styles at run time and supports no nonce; scripts are files of this origin only. */
const REFERENCE_POLICY = policy(
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

interface DocsFile extends StaticFile {
  etag: string;
  policy: string;
}

/** Answers a request for a page about the API; returns false, without an answer, for any other request. */
export function serveDocs(): (exchange: Exchange) => Promise<boolean> {
  const pages = docsPages();
  const files = new Map<string, Promise<DocsFile>>();

  function open(path: string): Promise<DocsFile> | null {
    const page = pages.get(path);
    if (page) return docsFile(page.type, Buffer.from(page.text), page.isReference && REFERENCE_POLICY);
    const script = path === REFERENCE_SCRIPT_PATH ? referenceScript() : null;
    return script && docsFile('text/javascript; charset=utf-8', script);
  }

  return async (exchange) => {
    const { request, path } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const opened = files.get(path) ?? open(path);
    if (!opened) return false;
    files.set(path, opened);
    const file = await opened;
    const own = ['ETag', file.etag];
    if (matches(request.headers['if-none-match'], file.etag)) {
      sendNothing(exchange, 304, [...own, 'Vary', 'Accept-Encoding'], REVALIDATE);
    } else {
      sendStaticFile(exchange, file, { headers: own, cacheControl: REVALIDATE, policy: file.policy });
    }
    return true;
  };
}

async function docsFile(type: string, plain: Buffer, policy = PAGE_POLICY): Promise<DocsFile> {
  return {
    ...(await compressFile(type, plain, false)),
    etag: `"${hash('sha256', plain, 'base64url')}"`,
    policy,
  };
}

/** Scalar's script: beside this file in a built gateway, else in its package; null without either. */
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

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { matches } from '@waymark/service-kit/http';
import type { Exchange } from '../exchange/exchange.ts';
import { sendFile, sendNothing } from '../exchange/respond.ts';
import { docsPages, REFERENCE_SCRIPT_PATH } from './pages.ts';
import { referenceScript } from './reference-script.ts';

const REVALIDATE = 'no-cache';
const PAGE_POLICY = policy("style-src 'self'");
/** Scalar makes its styles at run time and takes no nonce for them; scripts are this origin's files alone. */
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

interface ReadyFile {
  type: string;
  plain: Buffer;
  zipped: Buffer;
  etag: string;
  policy: string;
}

const compress = promisify(gzip);

async function ready(type: string, plain: Buffer, policy = PAGE_POLICY): Promise<ReadyFile> {
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { type, plain, zipped: await compress(plain), etag, policy };
}

/** Answers a request for a page about the API; false when it is none, and nothing has been answered. */
export function serveDocs(): (exchange: Exchange) => Promise<boolean> {
  const pages = docsPages();
  const made = new Map<string, Promise<ReadyFile>>();

  function make(path: string): Promise<ReadyFile> | null {
    const page = pages.get(path);
    if (page) {
      return ready(page.type, Buffer.from(page.text), page.isReference ? REFERENCE_POLICY : PAGE_POLICY);
    }
    const script = path === REFERENCE_SCRIPT_PATH ? referenceScript() : null;
    return script && ready('text/javascript; charset=utf-8', script);
  }

  return async (exchange) => {
    const { request, path } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const found = made.get(path) ?? make(path);
    if (!found) return false;
    made.set(path, found);
    const { type, plain, zipped, etag, policy } = await found;
    const own = ['ETag', etag, 'Vary', 'Accept-Encoding'];
    if (matches(request.headers['if-none-match'], etag)) {
      sendNothing(exchange, 304, own, REVALIDATE);
      return true;
    }
    const isZipped = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(request.headers['accept-encoding'] ?? '');
    if (isZipped) own.push('Content-Encoding', 'gzip');
    sendFile(exchange, {
      type,
      body: isZipped ? zipped : plain,
      headers: own,
      cacheControl: REVALIDATE,
      policy,
    });
    return true;
  };
}

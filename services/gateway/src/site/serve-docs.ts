import { sendFile, sendStaticFile } from '../http/respond.ts';
import type { PageServer } from '../middleware/pages.ts';
import { staticFolder } from './static-folder.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_FOUND = '/docs/not-found.html';

/** Serves the documentation built in `directory`: /llms.txt, and the files below /docs and /sdks. */
export function serveDocs(directory: string, publicUrl: string): PageServer {
  const fileAt = staticFolder(directory, publicUrl);
  return async (response) => {
    const { path } = response.locals;
    const file = fileAt(path) ?? fileAt(`${path.replace(/\/$/, '')}.html`);
    if (file) {
      sendStaticFile(response, await file, { cacheControl: 'no-cache', policy: POLICY });
      return true;
    }
    const isForReaders = (response.req.headers.accept ?? '').includes('text/html');
    const page = /^\/(?:docs|sdks)(?:\/|$)/.test(path) && isForReaders ? fileAt(NOT_FOUND) : null;
    if (!page) return false;
    const { type, plain } = await page;
    sendFile(response, { status: 404, type, body: plain, cacheControl: 'no-cache', policy: POLICY });
    return true;
  };
}

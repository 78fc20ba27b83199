import { sendStaticFile } from '../http/respond.ts';
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

/** Serves the documentation built in `directory`: /llms.txt, and what is below /docs. */
export function serveDocs(directory: string, publicUrl: string): PageServer {
  const fileAt = staticFolder(directory, publicUrl);
  return async (response) => {
    const { path } = response.locals;
    if (!['GET', 'HEAD'].includes(response.req.method)) return false;
    const file = fileAt(path) ?? fileAt(`${path}.html`);
    if (!file) return false;
    sendStaticFile(response, await file, { cacheControl: 'no-cache', policy: POLICY });
    return true;
  };
}

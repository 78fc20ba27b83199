import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { matchesWeakly } from '@waymark/service-kit/http';
import { compressFile, sendNothing, sendStaticFile } from '../http/respond.ts';
import type { PageServer } from '../middleware/pages.ts';
import { pageHtml } from './layout.ts';
import { llmsText } from './llms.ts';
import { createRenderer, type Render } from './render.ts';
import { createSite, type Site } from './site.ts';
import { readAsset } from './site-files.ts';

const HOME = '/docs';
/** Earlier addresses of pages. */
const MOVED: Record<string, string> = { '/docs/try': '/docs/reference' };
const SEARCH_PATH = '/docs/search.json';
const LLMS_PATH = '/llms.txt';
const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};
type Type = keyof typeof TYPES;
const PAGE_POLICY = [
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

type Content = { type: Type; text: string | Buffer } | null;

/** Serves the documentation. Reads and renders on demand: a gateway without readers spends nothing on it. */
export function serveDocs(origin: string): PageServer {
  const files = new Map<string, Promise<Awaited<ReturnType<typeof docsFile>> | null>>();
  let opened: Promise<{ site: Site; render: Render }> | undefined;

  async function contentAt(path: string): Promise<Content> {
    const asset = path.startsWith(`${HOME}/`) ? readAsset(path.slice(HOME.length + 1)) : null;
    if (asset) return { type: path.split('.').at(-1) as Type, text: asset };
    opened ??= createRenderer().then((render) => ({ site: createSite(origin), render }));
    const { site, render } = await opened;
    if (path === LLMS_PATH) return { type: 'txt', text: llmsText(site) };
    if (path === SEARCH_PATH) return { type: 'json', text: JSON.stringify(await entriesOf(site, render)) };
    const page = site.pages.get(MOVED[path] ?? path);
    if (page) return { type: 'html', text: pageHtml(site, page, render(page.markdown(), page.anchors?.())) };
    const source = path.endsWith('.md') ? site.pages.get(path.slice(0, -'.md'.length)) : undefined;
    return source ? { type: 'md', text: source.markdown() } : null;
  }

  /** Null for an address that the site does not have; those are not kept. */
  async function fileAt(path: string) {
    const stored = files.get(path);
    if (stored) return stored;
    const file = contentAt(path).then((content) => content && docsFile(content));
    files.set(path, file);
    const found = await file.catch(() => null);
    if (!found) files.delete(path);
    return file;
  }

  return async (response) => {
    const { path } = response.locals;
    if (!['GET', 'HEAD'].includes(response.req.method)) return false;
    if (path !== LLMS_PATH && !/^\/docs(?![^./])/.test(path)) return false;
    const file = await fileAt(path);
    if (!file) return false;
    const own = ['ETag', file.etag];
    const options = { cacheControl: 'no-cache', policy: PAGE_POLICY };
    if (matchesWeakly(response.req.headers['if-none-match'], file.etag))
      sendNothing(response, 304, [...own, 'Vary', 'Accept-Encoding'], options);
    else sendStaticFile(response, file, { ...options, headers: own });
    return true;
  };
}

async function docsFile({ type, text }: NonNullable<Content>) {
  const plain = Buffer.from(text);
  const file = await compressFile(TYPES[type], plain);
  return { ...file, etag: `"${hash('sha256', plain, 'base64url')}"` };
}

/** What search finds. Other requests are answered between two pages. */
async function entriesOf(site: Site, render: Render) {
  const found: { id: string; title: string; heading: string; text: string }[] = [];
  for (const { path, title, markdown, anchors } of site.pages.values()) {
    await setImmediate();
    for (const { heading, id, text } of render(markdown(), anchors?.()).entries) {
      found.push({ id: id ? `${path}#${id}` : path, title, heading, text });
    }
  }
  return found;
}

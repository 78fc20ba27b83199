/// <reference lib="dom" />
import { get } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { drawWorkflow } from './support/draw-workflow.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** Of the page, its files and the API together; browsers open six connections to a host. */
const REQUESTS_BEFORE_CONTENT = 15;
const BIG = /workflow|chart|markdown|search-dialog|pickers/i;
const SCRIPTS_AND_STYLES = ['script', 'stylesheet'];

interface Visit {
  /** Paths of the requests that were sent before the content was in the page. */
  before: string[];
  scriptsAndStyles: Response[];
  gzippedBytes: number;
}

/** Opens an address with an empty cache. `content` is what the user came for; `last` is shown last. */
async function load(path: string, cookie: string | undefined, content: string, last: string): Promise<Visit> {
  const page = await app.visit('/waymark.svg', { ...(cookie && { cookie }) });
  await page.addInitScript(noteWhenShown, content);
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  await page.goto(path);
  await page.locator(content).first().waitFor();
  await page.locator(last).first().waitFor();
  const scriptsAndStyles = responses.filter((r) => SCRIPTS_AND_STYLES.includes(r.request().resourceType()));
  const bodies = await Promise.all(scriptsAndStyles.map((response) => response.body()));
  const requests = await sentRequests(page);
  return {
    before: requests
      .filter(({ isBefore }) => isBefore)
      .map(({ name }) => new URL(name).pathname)
      // The browser asks for an icon when it likes.
      .filter((path) => path !== '/waymark.svg' && path !== '/favicon.png'),
    scriptsAndStyles,
    gzippedBytes: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0),
  };
}

/** Runs in the page: notes the time at which the first of these elements is in it. */
function noteWhenShown(selector: string): void {
  const note = () => {
    if (performance.getEntriesByName('content').length > 0 || !document.querySelector(selector)) return;
    performance.mark('content');
    observer.disconnect();
  };
  const observer = new MutationObserver(note);
  observer.observe(document, { childList: true, subtree: true });
  // The content may send requests before the observer is called.
  const { fetch } = globalThis;
  globalThis.fetch = (...request) => {
    note();
    return fetch(...request);
  };
}

function sentRequests(page: Page) {
  return page.evaluate(() => {
    const shownAt = performance.getEntriesByName('content')[0]!.startTime;
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ];
    return entries.map(({ name, startTime }) => ({ name, isBefore: startTime < shownAt }));
  });
}

const pages = {
  'sign-in': {
    limitBytes: 120_000,
    big: /shell|list|workflow|chart|markdown|search-dialog|pickers/i,
    visit: () => load('/sign-in', undefined, 'input[type=password]', 'a[href="/sign-up"]'),
  },
  'the list of decisions': {
    limitBytes: 170_000,
    big: BIG,
    async visit() {
      const { workspaceId, cookie } = await app.product.signUp();
      const body = { workspaceId, title: 'Where to build', tags: ['site'] };
      await app.product.call('POST', '/decisions', { cookie, body });
      const rows = 'table[aria-label="Decisions"] tbody tr';
      return load(`/w/${workspaceId}/decisions`, cookie, rows, '[role="search"]');
    },
  },
  'a decision': {
    limitBytes: 200_000,
    // Its text is Markdown.
    big: /workflow|chart|search-dialog|pickers/i,
    async visit() {
      const { workspaceId, cookie } = await app.product.signUp();
      const body = { workspaceId, title: 'Where to build', rationale: 'It is **dry** there.' };
      const { id } = (await app.product.call('POST', '/decisions', { cookie, body })).body;
      return load(`/w/${workspaceId}/decisions/${id}`, cookie, 'main section', 'main strong');
    },
  },
  'the canvas': {
    limitBytes: 260_000,
    big: /chart|markdown|search-dialog/i,
    async visit() {
      const { owner, path } = await drawWorkflow(app.product, ['Plan', 'Build']);
      return load(path, owner.cookie, '.react-flow__node', 'text="Live"');
    },
  },
};

describe.each(Object.entries(pages))('the first load of %s', (_, { limitBytes, big, visit }) => {
  it(`has at most ${limitBytes / 1_000} kB of scripts and styles, gzipped, and few requests`, async () => {
    const { before, scriptsAndStyles, gzippedBytes } = await visit();
    const files = scriptsAndStyles.map((response) => new URL(response.url()).pathname);
    expect(files.some((file) => file.endsWith('.css'))).toBe(true);
    expect(gzippedBytes).toBeGreaterThan(50_000);
    expect(gzippedBytes).toBeLessThanOrEqual(limitBytes);
    expect(before.slice(REQUESTS_BEFORE_CONTENT)).toEqual([]);
    expect(files.filter((file) => big.test(file))).toEqual([]);
  });
});

it.each(['the list of decisions', 'a decision'] as const)(
  'asks for %s while the scripts still load, and only once',
  async (name) => {
    const { before } = await pages[name].visit();
    const calls = before.filter((path) => path.startsWith('/v1/') && path !== '/v1/events');
    expect(calls.map((path) => path.replace(/[^/]{20,}$/, '…')).sort()).toEqual([
      '/v1/auth/me',
      name === 'a decision' ? '/v1/decisions/…' : '/v1/decisions',
    ]);
  },
);

it('is compressed when it is built, and cached until it changes', async () => {
  const { scriptsAndStyles } = await pages['sign-in'].visit();
  const page = await headersOf('/sign-in', 'br');
  expect([page['cache-control'], page['content-encoding']]).toEqual(['no-cache', undefined]);
  for (const response of scriptsAndStyles) {
    const { pathname } = new URL(response.url());
    const [br, gzip, plain] = await Promise.all(
      ['gzip, br', 'gzip, br;q=0', 'identity'].map((accepted) => headersOf(pathname, accepted)),
    );
    expect(br!['cache-control']).toBe('public, max-age=31536000, immutable');
    expect([br, gzip, plain].map((headers) => headers!['content-encoding'])).toEqual([
      'br',
      'gzip',
      undefined,
    ]);
    expect(Number(br!['content-length'])).toBeLessThan(Number(plain!['content-length']));
    expect((await fetch(new URL(`${pathname}.br`, app.product.url))).status).toBe(404);
  }
});

/** fetch would add its own Accept-Encoding. */
function headersOf(path: string, accepted: string): Promise<Record<string, string | undefined>> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': accepted, accept: 'text/html' };
    get(new URL(path, app.product.url), { headers }, (answer) => {
      answer.resume();
      resolve(answer.headers as Record<string, string | undefined>);
    }).on('error', reject);
  });
}

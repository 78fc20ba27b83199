/// <reference lib="dom" />
import { get } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { drawWorkflow } from './support/draw-workflow.ts';
import { type Person, useConsole } from './support/index.ts';

const app = useConsole();

/** Of the page, its files and the API together; browsers open six connections to a host. */
const REQUESTS_BEFORE_CONTENT = 14;
/** What the browser and the shell ask for by themselves, before the content or after it. */
const AT_ANY_TIME = [
  ...['/waymark.svg', '/favicon.png'],
  ...['/v1/events', '/v1/notifications', '/v1/notifications/mail-settings'],
];

interface FirstLoad {
  /** What the user came for. */
  content: string;
  /** What is shown last. */
  last: string;
  limitBytes: number;
  /** Files that the page does not need. */
  big: RegExp;
}

/**
 * Opens an address with an empty cache, and expects few and small files. Returns the paths of the files, and
 * of the requests that were sent before the content was in the page.
 */
async function load(path: string, owner: Person | undefined, { content, last, limitBytes, big }: FirstLoad) {
  const page = await app.visit('/waymark.svg', { ...owner, isNewProfile: true });
  await page.addInitScript(noteWhenShown, content);
  const loaded: Response[] = [];
  page.on('response', (response) => {
    if (['script', 'stylesheet'].includes(response.request().resourceType())) loaded.push(response);
  });
  await page.goto(path);
  await page.locator(content).first().waitFor();
  await page.locator(last).first().waitFor();
  const bodies = await Promise.all(loaded.map((response) => response.body()));
  const gzippedBytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(gzippedBytes).toBeGreaterThan(50_000);
  expect(gzippedBytes).toBeLessThanOrEqual(limitBytes);
  const files = loaded.map((response) => new URL(response.url()).pathname);
  expect(files.some((file) => file.endsWith('.css'))).toBe(true);
  expect(files.filter((file) => big.test(file))).toEqual([]);
  const before = (await requestsBeforeContent(page)).filter((name) => !AT_ANY_TIME.includes(name));
  expect(before.slice(REQUESTS_BEFORE_CONTENT)).toEqual([]);
  return { files, before, page };
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

function requestsBeforeContent(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shownAt = performance.getEntriesByName('content')[0]!.startTime;
    return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ startTime }) => startTime < shownAt)
      .map(({ name }) => new URL(name).pathname);
  });
}

/** Whether each of these requests was sent before the first of them had its response. */
function areTogether(page: Page, paths: string[]): Promise<boolean> {
  return page.evaluate((paths) => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const calls = paths.map((path) => entries.find(({ name }) => new URL(name).pathname === path)!);
    const firstEnd = Math.min(...calls.map(({ responseEnd }) => responseEnd));
    return calls.every(({ startTime }) => startTime < firstEnd);
  }, paths);
}

/** Pages of a new workspace. `early` is what a page requests together with its scripts and the session. */
const pages: Record<string, FirstLoad & { make: (owner: Person) => Promise<string>; early?: string[] }> = {
  'the list of decisions': {
    make: (owner) => owner.decide('Where to build', { tags: ['site'] }).then(() => 'decisions'),
    content: 'table[aria-label="Decisions"] tbody tr',
    last: '[role="search"]',
    limitBytes: 205_000,
    big: /workflow|chart|markdown|search-dialog|pickers/i,
    early: ['/v1/decisions', '/v1/views'],
  },
  // Its text is Markdown.
  'a decision': {
    make: async ({ decide }) =>
      `decisions/${await decide('Where to build', { rationale: 'It is **dry** there.' })}`,
    content: 'main section',
    last: 'main strong',
    limitBytes: 270_000,
    big: /workflow|chart|search-dialog|pickers/i,
    early: ['/v1/decisions/…'],
  },
  'the canvas': {
    make: async (owner) => (await drawWorkflow(owner, ['Plan', 'Build'])).path,
    content: '.react-flow__node',
    last: 'text="Live"',
    limitBytes: 330_000,
    big: /chart|markdown|search-dialog/i,
  },
};

it.each(Object.entries(pages))(
  'the first load of %s has small scripts and styles, and few requests that begin early',
  async (_, { make, early, ...expected }) => {
    const owner = await app.signUp();
    const path = `/w/${owner.workspaceId}/${await make(owner)}`;
    const { before, page } = await load(path, owner, expected);
    const calls = before.filter((name) => name.startsWith('/v1/'));
    const short = calls.map((name) => name.replace(/[^/]{20,}$/, '…'));
    if (early) expect(short.sort()).toEqual(['/v1/auth/me', ...early]);
    if (early) expect(await areTogether(page, calls)).toBe(true);
  },
);

it('the first load of sign-in is small, compressed when it is built, and cached until it changes', async () => {
  const { files } = await load('/sign-in', undefined, {
    content: 'input[type=password]',
    last: 'a[href="/sign-up"]',
    limitBytes: 175_000,
    big: /shell|list|workflow|chart|markdown|search-dialog|pickers/i,
  });
  const page = await headersOf('/sign-in', 'br');
  expect([page['cache-control'], page['content-encoding']]).toEqual(['no-cache', undefined]);
  for (const file of files) {
    const accepted = ['gzip, br', 'gzip, br;q=0', 'identity'];
    const sent = await Promise.all(accepted.map((encodings) => headersOf(file, encodings)));
    const [br, , plain] = sent;
    expect(br!['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(sent.map((headers) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    expect(Number(br!['content-length'])).toBeLessThan(Number(plain!['content-length']));
    expect((await fetch(new URL(`${file}.br`, app.product.url))).status).toBe(404);
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

import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { StreamDouble } from './stream-double.ts';

// The client of the API asks for the page's address when it is loaded.
Object.assign(globalThis, { window: { location: { origin: 'http://waymark.test' } } });
const { followWorkspace } = await import('./live-queries.ts');

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const navigatorBefore = Object.getOwnPropertyDescriptor(globalThis, 'navigator')!;
let queryClient: QueryClient;
let stop = () => {};

beforeEach(() => {
  jest.useFakeTimers();
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {} });
  Object.assign(globalThis, { EventSource: StreamDouble, document: page });
  queryClient = new QueryClient();
  stop = followWorkspace('w', queryClient);
});

afterEach(() => {
  stop();
  queryClient.clear();
  jest.useRealTimers();
  Object.defineProperty(globalThis, 'navigator', navigatorBefore);
  for (const name of ['EventSource', 'document']) Reflect.deleteProperty(globalThis, name);
});

/** Counts how often a query that is on the page is read. */
function countReads(...key: string[]): () => number {
  let reads = 0;
  new QueryObserver(queryClient, {
    queryKey: ['workspace', 'w', ...key],
    queryFn: () => (reads += 1),
  }).subscribe(() => undefined);
  return () => reads;
}

function hear(type: string): void {
  const data = JSON.stringify({ type, subject: { id: 'd' } });
  StreamDouble.opened.at(-1)!.onmessage({ data });
}

it('reads the audit log again until a late service must have the entry, and a list once', async () => {
  const audit = countReads('audit', 'entries');
  const list = countReads('decisions', 'list');
  await jest.advanceTimersByTimeAsync(10);
  expect([audit(), list()]).toEqual([1, 1]);
  hear('decision.created');
  await jest.advanceTimersByTimeAsync(90_000);
  expect([audit(), list()]).toEqual([7, 2]);
});

it('reads a list soon after an event, also while the audit log is waited for', async () => {
  countReads('audit', 'entries');
  const list = countReads('decisions', 'list');
  await jest.advanceTimersByTimeAsync(10);
  hear('decision.created');
  await jest.advanceTimersByTimeAsync(30_000);
  expect(list()).toBe(2);
  hear('decision.updated');
  await jest.advanceTimersByTimeAsync(300);
  expect(list()).toBe(3);
});

it('shows each of 60 new decisions within a second, within the reads of a session', async () => {
  let decisions = 0;
  let reads = 0;
  const read = () => {
    reads += 1;
    return decisions;
  };
  const observe = (...key: string[]) => {
    const queryKey = ['workspace', 'w', ...key];
    new QueryObserver(queryClient, { queryKey, queryFn: read }).subscribe(() => undefined);
    return () => queryClient.getQueryData(queryKey);
  };
  const list = observe('decisions', 'list');
  const facets = observe('decisions', 'facets');
  for (decisions = 1; decisions <= 60; decisions += 1) {
    hear('decision.created');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(list()).toBe(decisions);
  }
  expect(reads).toBeLessThan(90);
  await jest.advanceTimersByTimeAsync(40_000);
  expect(facets()).toBe(decisions);
});

import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query';
import { type Declaration, isChangedBy } from './changes-with.ts';
import { StreamDouble } from './test/stream-double.ts';

// The client of the API asks for the page's address when it is loaded.
Object.assign(globalThis, { window: { location: { origin: 'http://waymark.test' } } });
const { followWorkspace } = await import('./live-queries.ts');

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
let queryClient: QueryClient;
let stop = () => {};

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { EventSource: StreamDouble, document: page });
  queryClient = new QueryClient();
  stop = followWorkspace('w', queryClient);
});

afterEach(() => {
  stop();
  queryClient.clear();
  jest.useRealTimers();
  for (const name of ['EventSource', 'document']) Reflect.deleteProperty(globalThis, name);
});

const AUDIT: Declaration = { changesWith: 'every event' };
const LIST: Declaration = { changesWith: ['decision.*'] };

/** Shows a query on the page. */
function show<T>(declaration: Declaration, queryFn: () => T, queryKey = ['workspace', 'w', `${++shown}`]) {
  new QueryObserver(queryClient, { queryKey, queryFn, ...declaration }).subscribe(() => undefined);
  return () => queryClient.getQueryData<T>(queryKey);
}
let shown = 0;

/** Counts how often a query that is on the page is read. */
function countReads(declaration: Declaration, queryKey?: string[]): () => number {
  let reads = 0;
  show(declaration, () => (reads += 1), queryKey);
  return () => reads;
}

function hear(type: string, ids = {}): void {
  const data = JSON.stringify({ type, subject: { id: 'd' }, ...ids });
  StreamDouble.opened.at(-1)!.tell(data);
}

const source = new URL('..', import.meta.url);
/** The events that change the queries of the console, as their files declare them. */
const declared = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .flatMap((file) => [
    ...readFileSync(new URL(file, source), 'utf8').matchAll(/changesWith: (\[.*?\]|'every event')/gs),
  ])
  .map(([, text]) => text!.replace(/\s+/g, ' '));

const schema = readFileSync(new URL('../../../../libs/client/src/schema.ts', import.meta.url), 'utf8');
const types: string[] = JSON.parse(
  `[${/ LiveEvent: \{.*?type: ([^;]*);/s.exec(schema)![1]!.replaceAll('|', ',')}]`,
);

it.each([...new Set(declared)])(
  'reads a query that changes with %s when it hears of these only',
  async (text) => {
    expect(declared.length).toBeGreaterThan(50);
    const changesWith: string | string[] = JSON.parse(text.replaceAll("'", '"'));
    const reads = countReads({ changesWith } as Declaration);
    for (const type of types) {
      const before = reads();
      hear(type);
      await jest.advanceTimersByTimeAsync(2_000);
      const names = [type, type.replace(/\..*/, '.*'), 'every event'];
      expect([type, reads() > before]).toEqual([type, names.some((name) => changesWith.includes(name))]);
    }
  },
);

it('reads a query about one record again only after an event of that record', () => {
  const about = { changesWith: ['decision.updated', 'thread.*', 'messages.imported'], about: 'd' } as const;
  const event = (type: string, ids: object) => ({ type, subject: { id: 'x' }, ...ids }) as never;
  expect(isChangedBy(event('decision.updated', { subject: { id: 'd' } }), about)).toBe(true);
  expect(isChangedBy(event('decision.updated', {}), about)).toBe(false);
  expect(isChangedBy(event('thread.message_created', { decision_id: 'd' }), about)).toBe(true);
  expect(isChangedBy(event('thread.message_created', { node_id: 'd' }), about)).toBe(true);
  expect(isChangedBy(event('thread.message_created', { node_id: 'n' }), about)).toBe(false);
  const ofOne = { ...about, about: (id: string) => id === 'n' };
  expect(isChangedBy(event('thread.message_created', { node_id: 'n' }), ofOne)).toBe(true);
  expect(isChangedBy(event('thread.message_created', { decision_id: 'd' }), ofOne)).toBe(false);
  expect(isChangedBy(event('messages.imported', {}), about)).toBe(true);
});

it('does not compile without a declaration, nor with an event that does not exist', () => {
  const query = { queryKey: ['a'], queryFn: () => 1 };
  // @ts-expect-error No declaration.
  queryOptions(query);
  // @ts-expect-error No such event.
  queryOptions({ ...query, changesWith: ['decision.painted'] });
  // @ts-expect-error No events of this kind.
  queryOptions({ ...query, changesWith: ['painting.*'] });
  expect(queryOptions({ ...query, changesWith: ['decision.created', 'decision.*'] })).toMatchObject(query);
});

it('reads the inbox when it changes, and queries of the user but not of other workspaces at events', async () => {
  const inbox = countReads({ changesWith: ['inbox'] }, ['notifications']);
  const session = countReads(LIST, ['session']);
  const other = countReads(LIST, ['workspace', 'x', 'decisions']);
  await jest.advanceTimersByTimeAsync(10);
  StreamDouble.opened.at(-1)!.dispatchEvent(new Event('inbox'));
  await jest.advanceTimersByTimeAsync(10);
  expect([inbox(), session(), other()]).toEqual([2, 1, 1]);
  hear('decision.created');
  await jest.advanceTimersByTimeAsync(300);
  expect([inbox(), session(), other()]).toEqual([2, 2, 1]);
});

it.each(['succeeds', 'fails'])(
  'reads the inbox once for a change of it that %s, and for foreign events',
  async (end) => {
    const inbox = countReads({ changesWith: ['inbox'] }, ['notifications']);
    const response = Promise.withResolvers<void>();
    // As useChange does.
    const change = queryClient.getMutationCache().build(queryClient, {
      mutationKey: ['notifications'],
      mutationFn: () => response.promise,
      onSettled: () => queryClient.invalidateQueries({ queryKey: ['notifications'] }),
    });
    const readsAfter = async (act: () => unknown) => {
      act();
      await jest.advanceTimersByTimeAsync(10);
      return inbox();
    };
    const tell = () => StreamDouble.opened.at(-1)!.dispatchEvent(new Event('inbox'));
    expect(await readsAfter(() => void change.execute(undefined).catch(() => undefined))).toBe(1);
    expect(await readsAfter(tell)).toBe(1);
    expect(await readsAfter(tell)).toBe(2);
    const answer = () => (end === 'fails' ? response.reject(new Error('Too many')) : response.resolve());
    expect(await readsAfter(answer)).toBe(3);
    expect(await readsAfter(tell)).toBe(4);
  },
);

it('reads the inbox for a foreign event after a change of it whose event does not come', async () => {
  const inbox = countReads({ changesWith: ['inbox'] }, ['notifications']);
  for (const mutationFn of [() => Promise.resolve(), () => Promise.reject(new Error('Too many'))]) {
    const change = { mutationKey: ['notifications'], mutationFn };
    await queryClient
      .getMutationCache()
      .build(queryClient, change)
      .execute(undefined)
      .catch(() => undefined);
    const before = inbox();
    StreamDouble.opened.at(-1)!.dispatchEvent(new Event('inbox'));
    await jest.advanceTimersByTimeAsync(10);
    expect(inbox()).toBe(before + 1);
  }
});

it('repeats a first read during which the inbox changed', async () => {
  let unread = 0;
  const bell = show({ changesWith: ['inbox'] }, async () => {
    const before = unread;
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    return before;
  });
  await jest.advanceTimersByTimeAsync(10);
  unread = 2;
  StreamDouble.opened.at(-1)!.dispatchEvent(new Event('inbox'));
  await jest.advanceTimersByTimeAsync(6_500);
  expect(bell()).toBe(0);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(bell()).toBe(2);
});

it('reads after a gap what events change, and secondary queries when they are older', async () => {
  const reads = [LIST, AUDIT, { changesWith: [] }, { ...LIST, isSecondary: true }].map((one) =>
    countReads(one),
  );
  await jest.advanceTimersByTimeAsync(10);
  StreamDouble.opened.at(-1)!.ready();
  await jest.advanceTimersByTimeAsync(6_000);
  expect(reads.map((count) => count())).toEqual([2, 2, 1, 1]);
  StreamDouble.opened.at(-1)!.ready();
  await jest.advanceTimersByTimeAsync(10);
  expect(reads.map((count) => count())).toEqual([3, 3, 1, 2]);
});

it('reads the audit log again until a late service must have the entry, and a list once', async () => {
  const audit = countReads(AUDIT);
  const list = countReads(LIST);
  await jest.advanceTimersByTimeAsync(10);
  expect([audit(), list()]).toEqual([1, 1]);
  hear('decision.created');
  await jest.advanceTimersByTimeAsync(90_000);
  expect([audit(), list()]).toEqual([7, 2]);
});

it('reads a list soon after an event, also while the audit log is waited for', async () => {
  countReads(AUDIT);
  const list = countReads(LIST);
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
  const list = show(LIST, read);
  const facets = show({ ...LIST, isSecondary: true }, read);
  for (decisions = 1; decisions <= 60; decisions += 1) {
    hear('decision.created');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(list()).toBe(decisions);
  }
  expect(reads).toBeLessThan(90);
  await jest.advanceTimersByTimeAsync(40_000);
  expect(facets()).toBe(decisions);
});

import { describe, expect, it } from '@jest/globals';
import { type Decision, decisionSorts, newId } from '@waymark/contracts';
import { type CallInput, keyPrincipal, sampleDecision } from '@waymark/testing';
import type { Document } from 'mongodb';
import {
  type ListFilters,
  type ListSort,
  listFilter,
  listOrder,
  waitingFilters,
} from '../src/store/list-query.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();

type Key = ReturnType<typeof keyPrincipal>;
type Query = NonNullable<CallInput['query']>;
const titles = (decisions: Decision[]) => decisions.map(({ title }) => title);

async function list(key: Key, query: Query = {}) {
  const answer = await suite.get(key, '/decisions', query);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body as { decisions: Decision[]; next_cursor: string | null };
}

/** Decisions with ties and gaps in every field that the list sorts by. */
async function mixed(key: Key): Promise<Decision[]> {
  const made: Decision[] = [];
  for (let i = 0; i < 12; i += 1) {
    if (i % 3 === 0) suite.clock.nowMs += 1_000;
    const expectedBy = i % 4 === 0 ? {} : { expectedBy: `2027-01-0${1 + (i % 3)}` };
    made.push(
      await suite.create(key, { title: `T${i % 5}`, description: 'd'.repeat(20 * (i % 4)), ...expectedBy }),
    );
  }
  suite.clock.nowMs += 1_000;
  for (const i of [3, 8]) made[i] = (await suite.patch(key, made[i]!.id, { resolution: 'R' })).body;
  return made;
}

/** A workspace with such decisions. */
const key = keyPrincipal();
const made = await mixed(key);

describe('GET /decisions', () => {
  it('lists a workspace newest first', async () => {
    const key = keyPrincipal();
    await suite.create(keyPrincipal(), { title: 'elsewhere' });
    const made = [];
    for (const title of ['one', 'two', 'three']) {
      suite.clock.nowMs += 1;
      made.unshift(await suite.create(key, { title }));
    }
    expect(await list(key)).toEqual({ decisions: made, next_cursor: null });
    expect((await list(keyPrincipal())).decisions).toEqual([]);
  });

  it.each(decisionSorts.flatMap((field) => [field, `-${field}`]))(
    'sorts by %s, also in pages',
    async (sort) => {
      const field = sort.replace('-', '') as (typeof decisionSorts)[number];
      const direction = sort.startsWith('-') ? -1 : 1;
      const rank = (d: Decision) => [d[field] ?? (field === 'quality_score' ? -1 : ''), d.id] as const;
      const expected = made.toSorted((a, b) => {
        const [x, y] = [rank(a), rank(b)];
        return direction * (x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : x[1] < y[1] ? -1 : 1);
      });
      expect((await list(key, { sort })).decisions).toEqual(expected);
      for (const limit of [1, 5, 12])
        expect(await suite.pages(key, '/decisions', { sort, limit })).toEqual(expected);
    },
  );

  it('neither repeats nor skips decisions while others are added', async () => {
    const key = keyPrincipal();
    const made = await mixed(key);
    const seen = await suite.pages(key, '/decisions', { limit: 3 }, async () => {
      suite.clock.nowMs += 10;
      await suite.create(key, { title: 'meanwhile' });
    });
    expect(seen.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
  });

  it('filters', async () => {
    const key = keyPrincipal();
    const past = new Date(suite.clock.nowMs - 1).toISOString();
    const now = new Date(suite.clock.nowMs).toISOString();
    await suite.create(key, {
      title: 'a',
      tags: ['x', 'y'],
      decisionType: 'hiring',
      status: 'accepted',
      expectedBy: past,
    });
    await suite.create(key, {
      title: 'b',
      tags: ['y'],
      outcome: 'failure',
      status: 'rejected',
      expectedBy: past,
    });
    await suite.create(key, { title: 'c', tags: ['$y', 'Y'], decisionType: 'Hiring', expectedBy: now });
    const found = async (query: Query) =>
      titles((await list(key, { ...query, sort: 'title' })).decisions).join('');
    expect(await found({ status: 'proposed' })).toBe('c');
    expect(await found({ outcome: 'pending' })).toBe('ac');
    expect(await found({ outcome: 'failure' })).toBe('b');
    expect(await found({ tag: 'y' })).toBe('ab');
    expect(await found({ tag: '$y' })).toBe('c');
    expect(await found({ tag: 'none' })).toBe('');
    expect(await found({ tags: 'x,$y' })).toBe('ac');
    expect(await found({ tag: 'y', tags: 'x,$y' })).toBe('a');
    expect(await found({ decisionType: 'hiring' })).toBe('a');
    expect(await found({ decision_type: 'hiring' })).toBe('a');
    expect(await found({ type: 'hiring' })).toBe('a');
    expect(await found({ overdue: true })).toBe('a');
    expect(await found({ overdue: false })).toBe('bc');
    expect(await found({ overdue: true, outcome: 'failure' })).toBe('');
    expect(await found({ overdue: false, status: 'rejected' })).toBe('b');
    expect(
      await found({ tag: 'y', outcome: 'pending', status: 'accepted', type: 'hiring', overdue: true }),
    ).toBe('a');
  });

  it('finds what waits for a user: to be decided, and overdue outcomes and due reviews of it or of own decisions', async () => {
    const key = keyPrincipal();
    const ada = newId();
    suite.people.set(ada, { name: 'Ada', role: 'member' });
    const overdue = { expectedBy: '2020-01-01', status: 'accepted' };
    const mine = { deciders: [ada] };
    const due = (days: number) => ({
      status: 'accepted',
      reviewBy: new Date(suite.clock.nowMs + days * DAY_MS).toISOString(),
    });
    for (const [title, body] of Object.entries({
      a: mine,
      b: { ...mine, ...overdue },
      c: { ...mine, ...overdue, outcome: 'success' },
      d: { ...mine, status: 'rejected' },
      e: { ...mine, status: 'accepted' },
      f: overdue,
      g: {},
      h: { ...mine, ...due(13) },
      i: due(-1),
      j: { ...mine, ...due(15) },
      k: { ...mine, ...due(1), status: 'rejected' },
    }))
      await suite.create(key, { title, ...body });
    const waiting = async (waitingFor: string) =>
      titles((await list(key, { waitingFor, sort: 'title' })).decisions).join('');
    expect(await waiting(ada)).toBe('abh');
    for (const author of [key.key_id, key.user_id]) expect(await waiting(author)).toBe('bfhi');
    expect(await waiting(newId())).toBe('');
  });

  it('filters by several values and by times, each bound included or not as it says', async () => {
    const key = keyPrincipal();
    const other = keyPrincipal({ workspace_id: key.workspace_id });
    const times: string[] = [];
    const made: Decision[] = [];
    for (const [title, status] of [
      ['a', 'proposed'],
      ['b', 'accepted'],
      ['c', 'rejected'],
    ]) {
      suite.clock.nowMs += 1_000;
      times.push(new Date(suite.clock.nowMs).toISOString());
      const by = title === 'c' ? other : key;
      made.push(await suite.create(by, { title, status, expectedBy: `2027-01-0${made.length + 1}` }));
    }
    suite.clock.nowMs += 1_000;
    const changedAt = new Date(suite.clock.nowMs).toISOString();
    await suite.patch(key, made[0]!.id, { resolution: 'R' });
    const found = async (query: Query) =>
      titles((await list(key, { ...query, sort: 'title' })).decisions).join('');
    expect(await found({ status: 'proposed,accepted' })).toBe('ab');
    expect(await found({ status: 'rejected,proposed,rejected' })).toBe('ac');
    expect(await found({ outcome: 'pending,success' })).toBe('abc');
    expect(await found({ author: key.key_id })).toBe('ab');
    expect(await found({ author: `${key.key_id},${other.key_id}` })).toBe('abc');
    expect(await found({ createdFrom: times[1]! })).toBe('bc');
    expect(await found({ createdTo: times[1]! })).toBe('a');
    expect(await found({ createdFrom: times[1]!, createdTo: times[2]! })).toBe('b');
    expect(await found({ updatedFrom: times[2]! })).toBe('ac');
    expect(await found({ updatedSince: changedAt })).toBe('a');
    expect(await found({ updatedSince: changedAt, status: 'accepted,rejected' })).toBe('');
    expect(await found({ expectedFrom: '2027-01-02', expectedTo: '2027-01-03T23:59:59.999Z' })).toBe('b');
    const both = { status: 'proposed,accepted', limit: 1, sort: 'updated_at' };
    const { next_cursor } = await list(key, both);
    const turned = { ...both, status: 'accepted,proposed', cursor: String(next_cursor) };
    expect(titles((await list(key, turned)).decisions)).toEqual(['a']);
    const facets = await suite.get(key, '/decisions/facets', { status: 'proposed,accepted' });
    expect(facets.body.total).toBe(2);
  });

  it('filters by part of the title, literally and in any case, and by author', async () => {
    const key = keyPrincipal();
    const other = keyPrincipal({ workspace_id: key.workspace_id });
    await suite.create(key, { title: 'Move (all) of it' });
    await suite.create(other, { title: 'move ALL of it' });
    await suite.create(other, { title: 'Ärger' });
    const found = async (query: Query) => titles((await list(key, { ...query, sort: 'title' })).decisions);
    expect(await found({ text: 'all' })).toEqual(['Move (all) of it', 'move ALL of it']);
    expect(await found({ text: '(all)' })).toEqual(['Move (all) of it']);
    expect(await found({ text: 'ä' })).toEqual(['Ärger']);
    expect(await found({ text: '.' })).toEqual([]);
    const [mine] = (await list(key, { text: '(all)' })).decisions;
    expect(await found({ author: mine!.created_by, text: 'all' })).toEqual(['Move (all) of it']);
    expect(await found({ author: 'nobody' })).toEqual([]);
    expect((await suite.get(key, '/decisions', { text: '' })).status).toBe(400);
  });

  it('pages by 100, and links to the next page with the same query', async () => {
    const key = keyPrincipal();
    const { id, ...model } = await suite.create(key, { title: 'T', tags: ['a b&c?'] });
    const more = Array.from({ length: 100 }, () => ({ ...model, _id: newId() }));
    await suite.collection('decisions').insertMany(more);
    const answer = await suite.get(key, '/decisions', { tag: 'a b&c?', sort: 'title' });
    expect(answer.body.decisions).toHaveLength(100);
    const [, target] = /^<\/v1(\/decisions\?[^>]+)>; rel="next"$/.exec(answer.headers['link'] ?? '')!;
    const next = await suite.call(key, 'GET', target!);
    expect(next.body.decisions).toHaveLength(1);
    expect([next.body.next_cursor, next.headers['link']]).toEqual([null, undefined]);
    expect((await list(key, { limit: 500 })).decisions).toHaveLength(101);
  });

  it('refuses an altered cursor and a cursor of another list', async () => {
    const query = { sort: 'title', status: 'proposed', limit: 2 };
    const { next_cursor } = await list(key, query);
    const cursor = String(next_cursor);
    const altered = cursor.slice(0, -2) + (cursor.endsWith('A') ? 'BB' : 'AA');
    const wrong = [altered, 'nonsense', '', 'x'.repeat(3_000)].map((cursor) => ({ ...query, cursor }));
    const ofAnother = [{ ...query, sort: '-title' }, { ...query, status: 'accepted' }, { sort: 'title' }];
    const attempts = [...wrong, ...ofAnother.map((another) => ({ ...another, cursor }))].map((attempt) =>
      suite.get(key, '/decisions', attempt),
    );
    attempts.push(suite.get(keyPrincipal(), '/decisions', { ...query, cursor }));
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.issues?.[0].path]).toEqual([400, 'cursor']);
    }
    expect((await list(key, { ...query, limit: 7, cursor })).decisions).toHaveLength(7);
  });

  it.each<[string, Query]>([
    ['limit', { limit: 0 }],
    ['limit', { limit: 501 }],
    ['limit', { limit: 'all' }],
    ['sort', { sort: 'id' }],
    ['sort', { sort: '+title' }],
    ['status.0', { status: 'done' }],
    ['outcome.0', { outcome: 'none' }],
    ['status.1', { status: 'accepted,' }],
    ['status.1', { status: 'accepted,done' }],
    ['updatedSince', { updatedSince: 'yesterday' }],
    ['overdue', { overdue: 'yes' }],
    ['stauts', { stauts: 'accepted' }],
    ['status[$ne]', { 'status[$ne]': 'accepted' }],
    ['__proto__', { ['__proto__']: 'x' }],
    ['workspaceId', { workspaceId: 'nonsense' }],
  ])('refuses an invalid %s', async (path, query) => {
    const answer = await suite.get(keyPrincipal(), '/decisions', query);
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.issues[0].path).toBe(path);
  });

  it('accepts an unescaped question mark in a parameter', async () => {
    const key = keyPrincipal();
    await suite.create(key, { title: 'Asked', tags: ['why?'] });
    const answer = await suite.call(key, 'GET', `/decisions?tag=why?&workspaceId=${key.workspace_id}`);
    expect(titles(answer.body.decisions)).toEqual(['Asked']);
  });
});

const COUNT = 2_000;
const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-01-01T00:00:00Z');
const at = (day: number) => new Date(START_MS + day * DAY_MS).toISOString();

/** Stores decisions of one a day, by a hundred authors and for one decider, some archived or rejected. */
async function filled(): Promise<string> {
  const workspace_id = newId();
  const authors = Array.from({ length: 100 }, (_, n) => `author-${n}`);
  const documents = Array.from({ length: COUNT }, (_, day) => {
    const { id: _id, ...decision } = sampleDecision({ workspace_id, title: `T${day}` });
    const status = (['archived', 'rejected'] as const)[day % 200 === 0 ? 0 : 1];
    return {
      ...{ ...decision, _id, status: day % 100 === 0 ? status : 'accepted' },
      ...{ created_by: authors[day % 100], created_at: at(day), updated_at: at(day), expected_by: at(day) },
      ...{ deciders: ['decider'], review_by: at(day), ...(day % 100 === 3 && { status: 'proposed' }) },
    };
  });
  await suite.one.database.collection<Document>('decisions').insertMany(documents as Document[]);
  return workspace_id;
}

const filters: [string, ListFilters, ListSort][] = [
  ['several statuses', { status: ['archived', 'rejected'] }, '-created_at'],
  ['several authors', { author: ['author-1', 'author-2'] }, '-created_at'],
  ['times of creation', { created_from: at(100), created_to: at(120) }, '-created_at'],
  ['times of expectation', { expected_from: at(100), expected_to: at(120) }, 'expected_by'],
  ['the time of the last change', { updated_since: at(COUNT - 20) }, 'updated_at'],
];

it('each filter of a list is answered from an index, without other decisions and without sorting', async () => {
  const workspaceId = await filled();
  const decisions = suite.collection('decisions');
  for (const [name, filter, sort] of filters) {
    const found = decisions
      .find(listFilter(workspaceId, filter, at(0)) as never)
      .sort(Object.fromEntries(listOrder(sort)))
      .limit(500);
    const { executionStats: stats, queryPlanner } = await found.explain('executionStats');
    const stages = JSON.stringify(queryPlanner.winningPlan);
    expect({ name, returned: stats.nReturned }).toEqual({
      name,
      returned: 20 + (name === 'several authors' ? 20 : 0),
    });
    expect({ name, examined: stats.totalDocsExamined }).toEqual({ name, examined: stats.nReturned });
    expect({ name, isSorted: stages.includes('"SORT"') }).toEqual({ name, isSorted: false });
  }
});

it('what waits for a user is found without reading other decisions', async () => {
  const filters = waitingFilters(await filled(), 'decider', at(0));
  for (const filter of filters) {
    const found = suite
      .collection('decisions')
      .find(filter as never)
      .sort({ created_at: -1, _id: -1 })
      .limit(500);
    const { executionStats: stats } = await found.explain('executionStats');
    expect(stats.totalDocsExamined).toBeLessThanOrEqual(20);
  }
});

it('ends a page after 16 MiB, so that the largest decisions do not take all memory', async () => {
  const key = keyPrincipal();
  const decision = await suite.create(key, { title: 'Large' });
  const decisions = suite.collection('decisions');
  const stored = (await decisions.findOne({ _id: decision.id }))!;
  const description = 'x'.repeat(200 * 1024);
  const copies = Array.from({ length: 99 }, () => ({ ...stored, _id: newId(), description }));
  await decisions.insertMany(copies);
  const first = await list(key, { limit: 500 });
  expect(first.decisions.length).toBeLessThan(85);
  const second = await list(key, { limit: 500, cursor: first.next_cursor! });
  expect(second.next_cursor).toBeNull();
  const ids = new Set([...first.decisions, ...second.decisions].map(({ id }) => id));
  expect(ids.size).toBe(100);
});

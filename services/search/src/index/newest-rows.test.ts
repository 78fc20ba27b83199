import { describe, expect, it } from '@jest/globals';
import { searchGroups } from '@waymark/contracts';
import fc from 'fast-check';
import { type Kind, kinds, messagesOn } from '../projection/item.ts';
import { type FindRequest, findHits, type TextSource } from '../query/find-hits.ts';
import { hitsJson, NO_HITS_JSON } from '../query/hits-json.ts';
import type { IndexedChange, IndexedRow } from '../store/items.ts';
import { fold } from '../text/fold.ts';
import { newestRows } from './newest-rows.ts';

const rowOf = (id: string, position: number, text: string, parent_id: string | null = null): IndexedRow => ({
  id,
  parent_id,
  position,
  folded: fold(text),
  payload: JSON.stringify({ fields: [['title', text]], shown: { title: text } }),
});

/** A straightforward search of all live records. */
function plainSource(live: ReadonlyMap<string, { kind: Kind; row: IndexedRow }>): TextSource {
  const rows = [...live.values()].sort((a, b) => b.row.position - a.row.position);
  const of = (kind: Kind, test: (row: IndexedRow) => boolean) =>
    rows.filter((one) => one.kind === kind && test(one.row)).map(({ row }) => row);
  return {
    newest: (kind, q, before, count) =>
      of(kind, ({ position, folded }) => position < before && folded.includes(q)).slice(0, count),
    messagesOf: (topic, id, q, from, count) =>
      of(
        messagesOn[topic],
        (row) => row.parent_id === id && row.position >= from && row.folded.includes(q),
      ).slice(0, count),
    topic: (topic, id) => of(topic, (row) => row.id === id)[0] ?? null,
  };
}

function parentOf(kind: Kind, number: number, idsOf: Record<Kind, number>): string | null {
  const topic = (['node', 'decision'] as const).find((one) => messagesOn[one] === kind);
  return topic ? `${topic}${number % idsOf[topic]}` : null;
}

const ofDecisions = (rows: readonly IndexedRow[]): IndexedChange[] =>
  rows.map((row) => ({ kind: 'decision', id: row.id, row }));
const first = (q: string, limit = 20): FindRequest => ({ q, limit, group: null, before: null });
const idsIn = (hits: string): string[] => JSON.parse(hits).map(({ id }: { id: string }) => id);

describe('the newest rows', () => {
  it('leave a search that compares too many rows to the thread', async () => {
    const rows = newestRows();
    const change = (kind: Kind, row: IndexedRow): IndexedChange => ({ kind, id: row.id, row });
    const takeNodes = (from: number, count: number) =>
      rows.take(
        Array.from({ length: count }, (_, i) => from + i).flatMap((n) => [
          change('node', rowOf(`node ${n}`, n, 'x')),
          change('message', rowOf(`message ${n}`, n, 'abc', `node ${n}`)),
        ]),
      );
    const request: FindRequest = { q: 'abc', limit: 500, group: 'nodes', before: null };
    takeNodes(0, 20);
    expect(idsIn((await rows.find(request))!.nodes.hits)).toHaveLength(20);
    takeNodes(20, 230);
    expect(await rows.find(request)).toBeNull();
  });

  it('return the result of a search in all rows, or null, for any changes in any order', async () => {
    const change = fc.record({
      kind: fc.constantFrom(...kinds),
      number: fc.nat({ max: 50 }),
      salt: fc.nat({ max: 50 }),
      text: fc.constantFrom('Abc', 'bcAb', 'aß', 'ass cb', 'b'),
      isRemoval: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    });
    const few = fc.integer({ min: 1, max: 8 });
    const run = fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 80, size: 'max' }),
      // So different kinds are complete.
      idsOf: fc.record({ decision: few, workflow: few, node: few, message: few, decision_message: few }),
      rowsMax: fc.nat({ max: 6 }),
      limit: fc.integer({ min: 1, max: 3 }),
      group: fc.constantFrom(null, ...searchGroups),
      queries: fc.array(fc.constantFrom('a', 'b', 'bc', 'ss', 'x'), { minLength: 3, maxLength: 3 }),
    });
    let answered = 0;
    let unanswered = 0;
    await fc.assert(
      fc.asyncProperty(run, async ({ changes, idsOf, queries, rowsMax, limit, group }) => {
        const newest = newestRows(rowsMax);
        const live = new Map<string, { kind: Kind; row: IndexedRow }>();
        for (const [i, { kind, number, salt, text, isRemoval }] of changes.entries()) {
          const id = `${kind}${number % idsOf[kind]}`;
          // A restored record has another position.
          const position = live.get(id)?.row.position ?? salt * 1_000 + i;
          const row = isRemoval ? null : rowOf(id, position, text, parentOf(kind, number, idsOf));
          newest.take([{ kind, id, row }]);
          if (row) live.set(id, { kind, row });
          else live.delete(id);
          const q = queries[i % queries.length]!;
          const positions = [...live.values()].map(({ row }) => row.position);
          for (const before of group === null ? [null] : [null, ...positions.slice(0, 3)]) {
            const request = { q, limit, group, before };
            const found = await newest.find(request);
            if (!found) unanswered += 1;
            else {
              answered += 1;
              expect({ request, found }).toEqual({
                request,
                found: hitsJson(await findHits(plainSource(live), request)),
              });
            }
          }
        }
      }),
      { seed: 20_261_122, numRuns: 200 },
    );
    expect(answered).toBeGreaterThan(1_000);
    expect(unanswered).toBeGreaterThan(1_000);
  });

  it('answer for a frequent text, and for any text when there are no older rows', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) =>
      rowOf(`id${i}`, i, i % 9 === 0 ? 'common ж' : 'common'),
    );
    const newest = newestRows();
    newest.take(ofDecisions(rows.slice(0, 1_000)));
    expect(await newest.find(first('ωψχ'))).toEqual(NO_HITS_JSON);
    newest.take(ofDecisions(rows.slice(1_000)));
    const newestFirst = rows.map(({ id }) => id).reverse();
    const { decisions, workflows } = (await newest.find(first('common')))!;
    expect(idsIn(decisions.hits)).toEqual(newestFirst.slice(0, 20));
    expect(decisions.next).toBe(2_980);
    expect(workflows).toEqual({ hits: '[]', next: null });
    expect(idsIn((await newest.find(first('ж')))!.decisions.hits)).toHaveLength(20);
    expect(await newest.find(first('ωψχ'))).toBeNull();
    const last = { ...first('common'), group: 'decisions' as const };
    expect(idsIn((await newest.find({ ...last, before: 2_100 }))!.decisions.hits)).toEqual(
      newestFirst.slice(900, 920),
    );
    expect(await newest.find({ ...last, before: 2_010 })).toBeNull();
  });

  it('are not filled up with older rows when some are removed', async () => {
    const rows = Array.from({ length: 6 }, (_, i) => rowOf(`id${i}`, i, 'common'));
    const newest = newestRows(3);
    newest.take(ofDecisions(rows));
    newest.take(rows.slice(3).map(({ id }) => ({ kind: 'decision', id, row: null })));
    newest.take(ofDecisions(rows.slice(0, 2)));
    // The newest of the remaining three was dropped before.
    expect(await newest.find(first('common', 1))).toBeNull();
    newest.take(ofDecisions([rowOf('id7', 7, 'common'), rowOf('id8', 8, 'common')]));
    expect(idsIn((await newest.find(first('common', 1)))!.decisions.hits)).toEqual(['id8']);
  });

  it('are limited in size, and so are the hits of a search', async () => {
    const text = `common ${'text '.repeat(200)}`;
    const newest = newestRows();
    newest.take(ofDecisions(Array.from({ length: 2_000 }, (_, i) => rowOf(`id${i}`, i, text))));
    expect(newest.bytes()).toBeLessThan(2 * 1024 * 1024);
    expect(await newest.find(first('common'))).not.toBeNull();
    expect(await newest.find(first('common', 100))).toBeNull();
    newest.take(ofDecisions([rowOf('huge', 5_000, 'x'.repeat(1_000_000))]));
    expect(newest.bytes()).toBe(0);
    expect(await newest.find(first('common'))).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { trickyQuery, trickyText } from '../../test/tricky-text.ts';
import type { IndexedChange } from '../store/items.ts';
import { fold } from '../text/fold.ts';
import { workspaceIndex } from './workspace-index.ts';

const KIND = 'decision';
const rowOf = (id: string, position: number, text: string) => ({
  id,
  parent_id: null,
  position,
  folded: fold(text),
  payload: '{}',
});

describe('a workspace’s index', () => {
  it('finds exactly the rows that contain the text, newest first, for any order of changes', () => {
    const change = fc.record({
      id: fc.nat({ max: 400 }),
      position: fc.nat({ max: 1_000 }),
      text: trickyText(12),
      isRemoval: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    });
    const batches = fc.array(fc.array(change, { maxLength: 300, size: 'max' }), {
      minLength: 1,
      maxLength: 5,
    });
    const run = batches.chain((given) => {
      const texts = given.flat().map(({ text }) => text);
      return fc.tuple(
        fc.constant(given),
        fc.array(trickyQuery(['x', ...texts]), { minLength: 1, maxLength: 20 }),
      );
    });
    fc.assert(
      fc.property(run, fc.integer({ min: 1, max: 10 }), ([given, queries], count) => {
        const index = workspaceIndex();
        const rows = new Map<string, ReturnType<typeof rowOf>>();
        for (const batch of given) {
          const changes: IndexedChange[] = [];
          for (const { id: number, position: salt, text, isRemoval } of batch) {
            const id = `id${number}`;
            // As in the projection, a position belongs to one record forever.
            const position =
              1_000_000 + ((number * 7_919) % 401) * 1_000 + ((rows.get(id)?.position ?? salt) % 1_000);
            const row = isRemoval ? null : rowOf(id, position, text);
            if (row) rows.set(id, row);
            else rows.delete(id);
            changes.push({ kind: KIND, id, row });
          }
          index.apply(changes);
        }
        const sorted = [...rows.values()].sort((a, b) => b.position - a.position);
        for (const q of queries.map(fold)) {
          const expected = sorted.filter(({ folded }) => folded.includes(q)).map(({ id }) => id);
          const pages: string[] = [];
          for (let before = Number.MAX_SAFE_INTEGER; ; ) {
            const page = index.source.newest(KIND, q, before, count) as { id: string; position: number }[];
            pages.push(...page.map(({ id }) => id));
            if (page.length < count) break;
            before = page.at(-1)!.position;
          }
          expect([q, pages]).toEqual([q, expected]);
        }
        index.close();
      }),
      { numRuns: 60, interruptAfterTimeLimit: 15_000 },
    );
  });

  it('finds short texts among many rows that arrived newest first, oldest first or mixed', () => {
    const positions = Array.from({ length: 3_000 }, (_, i) => 1_000 + i * 10);
    const orders = [
      positions,
      positions.toReversed(),
      positions.toSorted((a, b) => ((a * 7_919) % 10_007) - ((b * 7_919) % 10_007)),
    ];
    for (const order of orders) {
      const index = workspaceIndex();
      for (let at = 0; at < order.length; at += 100) {
        const changes = order.slice(at, at + 100).map((position) => {
          const id = `id${position}`;
          const text = `common ${position % 7 === 0 ? 'ж' : ''} ${position === 15_000 ? 'qz' : ''}`;
          return { kind: KIND, id, row: rowOf(id, position, text) } as const;
        });
        index.apply(changes);
      }
      const found = (q: string, count: number) =>
        (index.source.newest(KIND, q, Number.MAX_SAFE_INTEGER, count) as { position: number }[]).map(
          ({ position }) => position,
        );
      const newestFirst = positions.toReversed();
      expect(found('o', 50)).toEqual(newestFirst.slice(0, 50));
      expect(found('ж', 1_000)).toEqual(newestFirst.filter((position) => position % 7 === 0));
      expect(found('qz', 10)).toEqual([15_000]);
      expect(found('qx', 10)).toEqual([]);
      expect(found('qzx', 10)).toEqual([]);
      expect(found('common', 5_000)).toEqual(newestFirst);
      index.close();
    }
  });
});

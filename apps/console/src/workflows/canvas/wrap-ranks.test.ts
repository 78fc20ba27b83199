import { expect, it } from '@jest/globals';
import type { Placement } from './lay-out.ts';
import { wrapRanks } from './wrap-ranks.ts';

const chain = (length: number) => Array.from({ length }, (_, i): Placement => [`${i}`, i * 300, 0]);
const extent = (placed: Placement[], at: 1 | 2) => Math.max(...placed.map((one) => one[at]));

it('a long chain is broken into rows, in its order', () => {
  const placed = wrapRanks(chain(40), 300, 100);
  expect(extent(placed, 1) / extent(placed, 2)).toBeLessThan(5);
  expect(new Set(placed.map(([, x, y]) => `${x} ${y}`)).size).toBe(40);
  const inOrder = placed.toSorted(([, x1, y1], [, x2, y2]) => y1 - y2 || x1 - x2).map(([id]) => id);
  expect(inOrder).toEqual(chain(40).map(([id]) => id));
});

it('a short chain stays in its row', () => {
  expect(wrapRanks(chain(8), 300, 100)).toEqual(chain(8));
  expect(wrapRanks([...chain(3), ['below', 0, 900]], 300, 100)).toEqual([...chain(3), ['below', 0, 900]]);
});

import { expect, it } from '@jest/globals';
import { type Alignment, alignmentOf } from './align.ts';
import type { NodeRecord } from './graph.ts';

const at = (id: string, position_x: number, position_y: number) =>
  ({ id, position_x, position_y }) as NodeRecord;
const nodes = [at('a', 100, 0), at('b', 0, 70), at('c', 400, 31)];

const placed = (way: Alignment) =>
  Object.fromEntries(
    alignmentOf(nodes, way).nodes.flatMap((change) =>
      change.kind === 'update' ? [[change.id, { ...change.after }]] : [],
    ),
  );

it('aligns nodes at the outermost one, and distributes them evenly between the outermost two', () => {
  expect(placed('left')).toEqual({ a: { position_x: 0 }, c: { position_x: 0 } });
  expect(placed('right')).toEqual({ a: { position_x: 400 }, b: { position_x: 400 } });
  expect(placed('top')).toEqual({ b: { position_y: 0 }, c: { position_y: 0 } });
  expect(placed('bottom')).toEqual({ a: { position_y: 70 }, c: { position_y: 70 } });
  expect(placed('across')).toEqual({ a: { position_x: 200 } });
  expect(placed('down')).toEqual({ c: { position_y: 35 } });
  expect(alignmentOf(nodes, 'down').label).toBe('distribute 3 nodes');
});

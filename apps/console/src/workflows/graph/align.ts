import type { NodeFields, NodeRecord } from './graph.ts';
import { counted, type GraphChange, updateOf } from './graph-change.ts';

export const ALIGNMENTS = {
  left: { label: 'Align left', least: 2 },
  right: { label: 'Align right', least: 2 },
  top: { label: 'Align top', least: 2 },
  bottom: { label: 'Align bottom', least: 2 },
  across: { label: 'Distribute horizontally', least: 3 },
  down: { label: 'Distribute vertically', least: 3 },
} as const;
export type Alignment = keyof typeof ALIGNMENTS;

/** Returns the change that aligns or evenly distributes nodes; all have the same size. */
export function alignmentOf(nodes: readonly NodeRecord[], way: Alignment): GraphChange {
  const axis = way === 'left' || way === 'right' || way === 'across' ? 'position_x' : 'position_y';
  const inOrder = [...nodes].sort((a, b) => a[axis] - b[axis]);
  const [first, last] = [inOrder[0]?.[axis] ?? 0, inOrder.at(-1)?.[axis] ?? 0];
  const step = (last - first) / (nodes.length - 1);
  const placeOf = (i: number) => {
    if (way === 'left' || way === 'top') return first;
    return way === 'right' || way === 'bottom' ? last : Math.round(first + i * step);
  };
  const changes = inOrder.flatMap((node, i) => {
    const to: Partial<NodeFields> = { [axis]: placeOf(i) };
    return updateOf(node, to) ?? [];
  });
  const act = way === 'across' || way === 'down' ? 'distribute' : 'align';
  return { label: `${act} ${counted(nodes.length, 'node')}`, nodes: changes, edges: [] };
}

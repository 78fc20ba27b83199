import { canvasTexts as t } from '../../texts/canvas.ts';
import type { NodeFields, NodeRecord } from './graph.ts';
import { type GraphChange, updateOf } from './graph-change.ts';

/** The ways to align nodes, each with the least number of nodes. */
export const ALIGNMENTS = [
  { way: 'left', least: 2 },
  { way: 'right', least: 2 },
  { way: 'top', least: 2 },
  { way: 'bottom', least: 2 },
  { way: 'across', least: 3 },
  { way: 'down', least: 3 },
] as const;
export type Alignment = (typeof ALIGNMENTS)[number]['way'];

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
  return { label: t.did.nodes(act, nodes.length), nodes: changes, edges: [] };
}

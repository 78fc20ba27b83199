import { Graph, layout } from '@dagrejs/dagre';
import type { LayoutRequest, Placement } from './lay-out.ts';
import { wrapRanks } from './wrap-ranks.ts';

const GAP = { rank: 90, node: 36 };
/** Above this size, the better ranker takes too long. */
const THOROUGH_NODES = 400;

const transposed = (placed: Placement[]) => placed.map(([id, x, y]): Placement => [id, y, x]);

function place({ ids, edges, width, height, direction }: LayoutRequest): Placement[] {
  const joined = new Set(edges.flat());
  const graph = new Graph();
  graph.setGraph({
    rankdir: direction,
    ranksep: GAP.rank,
    nodesep: GAP.node,
    ranker: joined.size > THOROUGH_NODES ? 'longest-path' : 'network-simplex',
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of joined) graph.setNode(id, { width, height });
  for (const [source, target] of edges) graph.setEdge(source, target);
  if (joined.size > 0) layout(graph);
  const inBand = [...joined].map((id): Placement => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return [id, Math.round(x - width / 2), Math.round(y - height / 2)];
  });
  const placed =
    direction === 'LR'
      ? wrapRanks(inBand, width + GAP.rank, height + GAP.rank)
      : transposed(wrapRanks(transposed(inBand), height + GAP.rank, width + GAP.rank));
  // Unconnected nodes are placed below in a square.
  const loose = ids.filter((id) => !joined.has(id));
  const columns = Math.ceil(Math.sqrt(loose.length));
  const top = placed.reduce((bottom, [, , y]) => Math.max(bottom, y + height + GAP.rank), 0);
  return [
    ...placed,
    ...loose.map(
      (id, i): Placement => [
        id,
        (i % columns) * (width + GAP.node),
        top + Math.floor(i / columns) * (height + GAP.node),
      ],
    ),
  ];
}

globalThis.onmessage = ({ data }: MessageEvent<LayoutRequest>) => globalThis.postMessage(place(data));

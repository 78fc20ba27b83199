import { canvasTexts as t } from '../../texts/canvas.ts';
import type { Graph } from '../graph/graph.ts';
import { type GraphChange, updateOf } from '../graph/graph-change.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './flow-elements.ts';

/** Where the edges lead: to the right or down. */
export type Direction = 'LR' | 'TB';

export interface LayoutRequest {
  ids: string[];
  edges: [source: string, target: string][];
  width: number;
  height: number;
  direction: Direction;
}

export type Placement = [id: string, x: number, y: number];

/** Lays out the nodes along the edges, in a worker because a large graph takes seconds. */
export async function layOut({ nodes, edges }: Graph, direction: Direction): Promise<GraphChange> {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  try {
    const placements = await new Promise<Placement[]>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Placement[]>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message || t.noLayout));
      const request: LayoutRequest = {
        ids: [...nodes.keys()],
        edges: [...edges.values()].map(({ source_id, target_id }) => [source_id, target_id]),
        width: CARD_WIDTH,
        height: CARD_HEIGHT,
        direction,
      };
      worker.postMessage(request);
    });
    const moves = placements.flatMap(([id, x, y]) => {
      const node = nodes.get(id);
      return (node && updateOf(node, { position_x: x, position_y: y })) ?? [];
    });
    return { label: t.did.arrange, nodes: moves, edges: [] };
  } finally {
    worker.terminate();
  }
}

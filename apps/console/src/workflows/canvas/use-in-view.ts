import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import type { Graph, NodeRecord } from '../graph/graph.ts';
import { lookAtAll } from './canvas.tsx';
import { CARD_HEIGHT, CARD_WIDTH } from './flow-elements.ts';

/**
 * Scrolls to a node that becomes important, or that a smaller canvas hides; at least at `minZoom`. Without
 * one, shows all nodes again when a smaller canvas hides every node.
 */
export function useInView(node: NodeRecord | undefined, nodes: Graph['nodes'], minZoom: number): void {
  const flow = useReactFlow();
  const store = useStoreApi();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const id = node?.id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: must not follow a node that is moved out of view
  useEffect(() => {
    if (width === 0) return;
    const { x, y, zoom } = flow.getViewport();
    const placeOf = ({ position_x, position_y }: NodeRecord) => {
      const [left, top] = [position_x * zoom + x, position_y * zoom + y];
      return { left, top, right: left + CARD_WIDTH * zoom, bottom: top + CARD_HEIGHT * zoom };
    };
    if (!node) {
      const isShown = [...nodes.values()].map(placeOf).some(({ left, top, right, bottom }) => {
        return right > 0 && bottom > 0 && left < width && top < height;
      });
      // The first view comes by itself.
      if (!isShown && !store.getState().fitViewQueued) void flow.fitView(lookAtAll());
      return;
    }
    const { left, top, right, bottom } = placeOf(node);
    const isIn = left >= 0 && top >= 0 && right <= width && bottom <= height;
    if (isIn && zoom >= minZoom) return;
    const middle = { x: node.position_x + CARD_WIDTH / 2, y: node.position_y + CARD_HEIGHT / 2 };
    void flow.setCenter(middle.x, middle.y, { zoom: Math.max(zoom, minZoom) });
  }, [id, width, height, minZoom, flow]);
}

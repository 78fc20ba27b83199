import { useReactFlow, useStore } from '@xyflow/react';
import { useEffect } from 'react';
import type { NodeRecord } from '../graph/graph.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './flow-elements.ts';

/** Scrolls to a node that becomes important, or that a smaller canvas hides; at least at `minZoom`. */
export function useInView(node: NodeRecord | undefined, minZoom: number): void {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const id = node?.id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: must not follow a node that is moved out of view
  useEffect(() => {
    if (!node || width === 0) return;
    const { x, y, zoom } = flow.getViewport();
    const left = node.position_x * zoom + x;
    const top = node.position_y * zoom + y;
    const isIn =
      left >= 0 && top >= 0 && left + CARD_WIDTH * zoom <= width && top + CARD_HEIGHT * zoom <= height;
    if (isIn && zoom >= minZoom) return;
    const middle = { x: node.position_x + CARD_WIDTH / 2, y: node.position_y + CARD_HEIGHT / 2 };
    void flow.setCenter(middle.x, middle.y, { zoom: Math.max(zoom, minZoom) });
  }, [id, width, height, minZoom, flow]);
}

import { applyEdgeChanges, type EdgeChange, MarkerType } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { canvasTexts as t } from '../../texts/canvas.ts';
import type { Graph } from '../graph/graph.ts';
import { type FlowEdge, flowEdge } from './flow-elements.ts';

const RED = 'var(--canvas-refused)';
const MARKER = { type: MarkerType.ArrowClosed, width: 12, height: 12, color: RED };

/**
 * The edges for the canvas, with those of a refused cycle in red. `cycle` repeats its first node at the
 * end.
 */
export function useFlowEdges({ nodes, edges }: Graph, cycle: readonly string[] | null) {
  const inStep = useCallback(
    (known: readonly FlowEdge[]) => {
      const byId = new Map(known.map((edge) => [edge.id, edge]));
      const titleOf = (id: string) => nodes.get(id)?.title ?? '';
      return [...edges].map(([key, record]) => flowEdge(record, byId.get(key), titleOf));
    },
    [nodes, edges],
  );
  const [flowEdges, setFlowEdges] = useState(() => inStep([]));
  useEffect(() => setFlowEdges(inStep), [inStep]);

  const onEdgesChange = useCallback(
    (changes: EdgeChange<FlowEdge>[]) => setFlowEdges((known) => applyEdgeChanges(changes, known)),
    [],
  );

  const shown = useMemo(() => (cycle ? withCycle(flowEdges, cycle) : flowEdges), [flowEdges, cycle]);
  return { flowEdges: shown, setFlowEdges, onEdgesChange };
}

function withCycle(edges: readonly FlowEdge[], cycle: readonly string[]): FlowEdge[] {
  const steps = new Map(
    cycle.slice(1).map((target, i) => [`${cycle[i]}>${target}`, { source: cycle[i]!, target }]),
  );
  const drawn = edges.map((edge) => {
    if (!steps.delete(edge.id)) return edge;
    return { ...edge, className: 'in-cycle', markerEnd: MARKER };
  });
  // The remaining pair is the refused edge.
  const refused = [...steps].map(
    ([id, ends]): FlowEdge => ({
      ...ends,
      id: `refused ${id}`,
      data: { record: null },
      className: 'in-cycle refused',
      ariaLabel: t.cycle,
      markerEnd: MARKER,
      selectable: false,
      focusable: false,
    }),
  );
  return [...drawn, ...refused];
}

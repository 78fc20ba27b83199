import { applyNodeChanges, type NodeChange } from '@xyflow/react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Graph } from '../graph/graph.ts';
import { type FlowNode, flowNode } from './flow-elements.ts';

/** Arrow keys move in small steps; a sequence counts as one move. */
const KEYBOARD_PAUSE_MS = 500;

export type Moves = ReadonlyMap<string, { x: number; y: number }>;

/** The nodes for the canvas, synchronised with the graph. Calls `onMoved` when a move has ended. */
export function useFlowNodes(nodes: Graph['nodes'], onMoved: (moves: Moves) => void) {
  const moved = useRef(new Map<string, { x: number; y: number }>());
  const dragged = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const report = useRef(onMoved);
  report.current = onMoved;

  const inStep = useCallback(
    (known: readonly FlowNode[]) => {
      const byId = new Map(known.map((node) => [node.id, node]));
      return [...nodes.values()].map((record) => {
        const position = moved.current.get(record.id) ?? { x: record.position_x, y: record.position_y };
        return flowNode(record, byId.get(record.id), position);
      });
    },
    [nodes],
  );
  const [flowNodes, setFlowNodes] = useState(() => inStep([]));
  // Before insert() in use-node-selection.ts selects new nodes.
  useLayoutEffect(() => setFlowNodes(inStep), [inStep]);

  /** Reports pending keyboard moves. */
  const settle = useCallback(() => {
    clearTimeout(timer.current);
    const moves = moved.current;
    moved.current = new Map();
    if (moves.size > 0) report.current(moves);
  }, []);
  useEffect(() => settle, [settle]);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      setFlowNodes((known) => applyNodeChanges(changes, known));
      let isDrop = false;
      for (const change of changes) {
        if (change.type !== 'position' || !change.position) continue;
        if (change.dragging) {
          dragged.current.add(change.id);
          continue;
        }
        if (dragged.current.delete(change.id)) isDrop = true;
        moved.current.set(change.id, { x: Math.round(change.position.x), y: Math.round(change.position.y) });
      }
      if (isDrop) settle();
      else if (moved.current.size > 0) {
        clearTimeout(timer.current);
        timer.current = setTimeout(settle, KEYBOARD_PAUSE_MS);
      }
    },
    [settle],
  );

  return { flowNodes, setFlowNodes, onNodesChange, settle };
}

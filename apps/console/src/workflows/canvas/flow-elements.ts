import { type Edge, MarkerType, type Node, Position } from '@xyflow/react';
import { canvasTexts as t } from '../../texts/canvas.ts';
import { type EdgeRecord, edgeKey, type NodeRecord } from '../graph/graph.ts';
import { nodeInWords } from '../node-kinds.ts';

/** `onRenamed` is set while the title is edited in place; null leaves the title as it was. */
export type FlowNode = Node<{ record: NodeRecord; onRenamed?: (title: string | null) => void }, 'card'>;
export type FlowEdge = Edge<{ record: EdgeRecord | null }>;

export const CARD_WIDTH = 220;
export const CARD_HEIGHT = 84;

const HANDLE = { width: 12, height: 12, y: CARD_HEIGHT / 2 - 6 };
/** Fixed size, so that edges to nodes outside the view can be drawn without measuring. */
const HANDLES: FlowNode['handles'] = [
  { type: 'target', position: Position.Left, x: -6, ...HANDLE },
  { type: 'source', position: Position.Right, x: CARD_WIDTH - 6, ...HANDLE },
];

/**
 * Returns the node for the canvas, keeping the canvas's state (selected, measured, dragging) from `known`.
 */
export function flowNode(
  record: NodeRecord,
  known: FlowNode | undefined,
  position: { x: number; y: number },
): FlowNode {
  if (known?.data.record === record) return known;
  return {
    ...known,
    id: record.id,
    type: 'card',
    width: CARD_WIDTH,
    height: CARD_HEIGHT,
    // Fixed size as well, so that the first fit includes nodes outside the view.
    measured: { width: CARD_WIDTH, height: CARD_HEIGHT },
    handles: HANDLES!,
    position: known?.dragging ? known.position : position,
    data: { record },
    ariaLabel: nodeInWords(record),
    domAttributes: { 'aria-roledescription': t.roles.node },
  };
}

const CONDITION_SHOWN = 32;

function conditionInWords({ condition }: EdgeRecord): string | undefined {
  if (condition === null) return undefined;
  const text = JSON.stringify(condition).slice(1, -1).replaceAll('"', '');
  return text.length > CONDITION_SHOWN ? `${text.slice(0, CONDITION_SHOWN)}…` : text || t.always;
}

export function flowEdge(
  record: EdgeRecord,
  known: FlowEdge | undefined,
  titleOf: (id: string) => string,
): FlowEdge {
  const words = t.edge(titleOf(record.source_id), titleOf(record.target_id));
  if (known?.data?.record === record && known.ariaLabel === words) return known;
  return {
    ...known,
    id: edgeKey(record),
    source: record.source_id,
    target: record.target_id,
    data: { record },
    label: conditionInWords(record),
    markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18 },
    ariaLabel: words,
    domAttributes: { 'aria-roledescription': t.roles.edge },
  };
}

import { useComputedColorScheme } from '@mantine/core';
import {
  Background,
  Controls,
  MiniMap,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { canvasTexts as t } from '../../texts/canvas.ts';
import type { Graph, NodeFields } from '../graph/graph.ts';
import { type GraphChange, updateOf } from '../graph/graph-change.ts';
import { NODE_KINDS } from '../node-kinds.ts';
import { FarView, isFar } from './far-view.tsx';
import { CARD_HEIGHT, CARD_WIDTH, type FlowEdge, type FlowNode } from './flow-elements.ts';
import { NodeCard } from './node-card.tsx';
import { RoutedEdge } from './routed-edge.tsx';
import { useFlowEdges } from './use-flow-edges.ts';
import { type Moves, useFlowNodes } from './use-flow-nodes.ts';

const NODE_TYPES = { card: NodeCard };
const EDGE_TYPES = { default: RoutedEdge };
const PLACE_STEP = 40;
const NO_EDGES: FlowEdge[] = [];
const DOUBLE_CLICK_MS = 250;
/** The middle and the right button of the mouse. */
const OTHER_BUTTONS = [1, 2];
/** Above the minimap, which would cover cards; canvas.css hides it on narrow screens. */
const ABOVE_MINIMAP = { x: 0.1, top: 0.1, bottom: '190px' } as const;
const isNarrow = (width: string) => globalThis.matchMedia(`(max-width: ${width})`).matches;

/** The view of nodes. When zoomed out, their elements are hidden, but they still count as content. */
const look = () => ({
  padding: isNarrow('900px') ? 0.15 : ABOVE_MINIMAP,
  maxZoom: 1,
  includeHiddenNodes: true,
});

/** The view of all nodes; on a phone, of a part that can be read. */
export const lookAtAll = () => ({ ...look(), ...(isNarrow('36em') && { minZoom: 0.8 }) });

export interface CanvasControls {
  select(nodeIds: readonly string[]): void;
  selected(): string[];
  focus(nodeId: string): void;
  /** Reports pending moves at once. */
  settle(): void;
  /** Returns a position for a new node that is visible and covers no other. */
  freePlace(): { x: number; y: number };
  /** Returns how far to move a copy of these nodes so that it is in view and apart from the originals. */
  shiftFor(nodes: readonly NodeFields[]): { x: number; y: number };
}

export function Canvas(props: {
  ref: Ref<CanvasControls>;
  graph: Graph;
  mayEdit: boolean;
  cycle: readonly string[] | null;
  /** The node to show first; default: all nodes. */
  lookAt: string | null;
  /** The node whose title is edited in place. */
  renaming: string | null;
  isPanelOpen: boolean;
  /** Whether dragging draws a rectangle that selects, instead of moving the canvas; Shift does it too. */
  isLasso: boolean;
  onMove: (change: GraphChange) => void;
  onConnect: (source: string, target: string) => void;
  onConnectFrom: (nodeId: string) => void;
  onOpen: (opened: { kind: 'node' | 'edge'; id: string }) => void;
  onRename: (nodeId: string) => void;
  onRenamed: (nodeId: string, title: string | null) => void;
  onRemove: (nodeIds: string[], edgeKeys: string[]) => void;
}) {
  const { graph, mayEdit, renaming, onMove, onOpen, onRenamed } = props;
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const frame = useRef<HTMLDivElement>(null);
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [firstLook] = useState(
    props.lookAt === null ? lookAtAll() : { ...look(), nodes: [{ id: props.lookAt }] },
  );
  const colorMode = useComputedColorScheme('light');
  const words = useMemo(() => {
    const { node, edge } = mayEdit ? t.keys : t.readerKeys;
    return {
      ...t.flow,
      'node.a11yDescription.default': node,
      'node.a11yDescription.keyboardDisabled': node,
      'edge.a11yDescription.default': edge,
    };
  }, [mayEdit]);

  const saveMoves = useCallback(
    (moves: Moves) => {
      const nodes = [...moves].flatMap(([id, { x, y }]) => {
        const node = graph.nodes.get(id);
        return (node && updateOf(node, { position_x: x, position_y: y })) ?? [];
      });
      if (nodes.length > 0) onMove({ label: t.did.nodes('move', nodes.length), nodes, edges: [] });
    },
    [graph.nodes, onMove],
  );
  const { flowNodes, setFlowNodes, onNodesChange, settle } = useFlowNodes(graph.nodes, saveMoves);
  const { flowEdges, setFlowEdges, onEdgesChange } = useFlowEdges(graph, props.cycle);

  const isFarAway = useStore(useMemo(() => isFar(flowNodes.length), [flowNodes.length]));
  const shownNodes = useMemo(() => {
    if (isFarAway) return flowNodes.map((node) => ({ ...node, hidden: true }));
    if (renaming === null) return flowNodes;
    return flowNodes.map((node) => {
      if (node.id !== renaming) return node;
      return {
        ...node,
        data: { ...node.data, onRenamed: (title: string | null) => onRenamed(node.id, title) },
      };
    });
  }, [flowNodes, isFarAway, renaming, onRenamed]);

  function select(nodeIds: readonly string[]) {
    const wanted = new Set(nodeIds);
    setFlowNodes((known) =>
      known.map((node) => {
        const selected = wanted.has(node.id);
        return Boolean(node.selected) === selected ? node : { ...node, selected };
      }),
    );
    setFlowEdges((known) => known.map((edge) => (edge.selected ? { ...edge, selected: false } : edge)));
  }

  useImperativeHandle(props.ref, () => ({
    select,
    selected: () => flowNodes.flatMap(({ id, selected }) => (selected ? [id] : [])),
    settle,
    focus: (id) => frame.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)?.focus(),
    freePlace() {
      const { left, top, width, height } = frame.current!.getBoundingClientRect();
      const middle = flow.screenToFlowPosition({ x: left + width / 2, y: top + height / 3 });
      const place = { x: Math.round(middle.x - CARD_WIDTH / 2), y: Math.round(middle.y - CARD_HEIGHT / 2) };
      const covers = (x: number, y: number) =>
        flow
          .getNodes()
          .some(
            ({ position }) => Math.abs(position.x - x) < CARD_WIDTH && Math.abs(position.y - y) < CARD_HEIGHT,
          );
      while (covers(place.x, place.y)) place.y += PLACE_STEP;
      return place;
    },
    shiftFor(nodes) {
      const { left, top, width, height } = frame.current!.getBoundingClientRect();
      const zoom = flow.getZoom();
      const view = {
        ...flow.screenToFlowPosition({ x: left, y: top }),
        width: width / zoom,
        height: height / zoom,
      };
      const box = boxOf(nodes);
      const shift = flow.isNodeIntersecting(box, view)
        ? { x: PLACE_STEP, y: PLACE_STEP }
        : {
            x: Math.round(view.x + (view.width - box.width) / 2 - box.x),
            y: Math.round(view.y + (view.height - box.height) / 2 - box.y),
          };
      const { position_x, position_y } = nodes[0]!;
      const isTaken = () =>
        flow.getNodes().some(({ position: { x, y } }) => {
          const distance = Math.abs(x - position_x - shift.x) + Math.abs(y - position_y - shift.y);
          return distance < PLACE_STEP / 2;
        });
      while (isTaken()) {
        shift.x += PLACE_STEP;
        shift.y += PLACE_STEP;
      }
      return shift;
    },
  }));

  function onNodeClick({ detail, ctrlKey, metaKey, shiftKey }: MouseEvent, { id }: FlowNode) {
    clearTimeout(opening.current);
    if (ctrlKey || metaKey || shiftKey || id === renaming) return;
    const open = () => onOpen({ kind: 'node', id });
    if (!mayEdit || props.isPanelOpen) return open();
    // The panel would cover nodes on the right before the second click of a double click.
    if (detail < 2) opening.current = setTimeout(open, DOUBLE_CLICK_MS);
  }

  function onNodeDoubleClick(_: MouseEvent, { id }: FlowNode) {
    clearTimeout(opening.current);
    if (mayEdit) props.onRename(id);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (!(event.target instanceof Element) || event.target.closest('input, textarea, button')) return;
    const node = event.target.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
    const edge = event.target.closest<SVGElement>('.react-flow__edge')?.dataset['id'];
    if (event.key === 'Enter' && (node ?? edge)) {
      event.preventDefault();
      onOpen(node ? { kind: 'node', id: node } : { kind: 'edge', id: edge! });
    }
    if (!mayEdit) return;
    if (event.key === 'F2' && node) props.onRename(node);
    if (event.key.toLowerCase() === 'c' && node && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      props.onConnectFrom(node);
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      const nodes = new Set(flowNodes.filter(({ selected }) => selected).map(({ id }) => id));
      const edges = new Set(flowEdges.filter(({ selected }) => selected).map(({ id }) => id));
      if (node) nodes.add(node);
      if (edge) edges.add(edge);
      if (nodes.size + edges.size > 0) props.onRemove([...nodes], [...edges]);
    }
  }

  return (
    <ReactFlow<FlowNode, FlowEdge>
      ref={frame}
      dir="ltr"
      onKeyDown={onKeyDown}
      nodes={shownNodes}
      edges={isFarAway ? NO_EDGES : flowEdges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      onConnect={({ source, target }) => props.onConnect(source, target)}
      isValidConnection={({ source, target }) => source !== target}
      onNodeClick={onNodeClick}
      onNodeDoubleClick={onNodeDoubleClick}
      // It would move the node that is renamed out of view.
      zoomOnDoubleClick={false}
      onEdgeClick={(_, { id, data }) => data?.record && onOpen({ kind: 'edge', id })}
      onFocus={({ target }) => {
        const id = target.matches('.react-flow__node:focus-visible') && (target as HTMLElement).dataset['id'];
        if (id) select([id]);
      }}
      nodesDraggable={mayEdit}
      nodesConnectable={mayEdit}
      deleteKeyCode={null}
      selectionMode={SelectionMode.Partial}
      selectionOnDrag={props.isLasso}
      panOnDrag={props.isLasso ? OTHER_BUTTONS : true}
      colorMode={colorMode}
      ariaLabelConfig={words}
      onlyRenderVisibleElements
      elevateNodesOnSelect={false}
      fitView
      fitViewOptions={firstLook}
      minZoom={0.05}
      maxZoom={2.5}
    >
      <Background />
      <Controls showInteractive={false} fitViewOptions={look()} />
      {isFarAway ? (
        <FarView nodes={flowNodes} edges={flowEdges} />
      ) : props.isPanelOpen ? null : (
        <MiniMap<FlowNode>
          pannable
          zoomable
          onClick={(_, { x, y }) => void flow.setCenter(x, y, { zoom: flow.getZoom() })}
          nodeColor={({ data }) => `var(--mantine-color-${NODE_KINDS[data.record.type].color}-6)`}
        />
      )}
    </ReactFlow>
  );
}

/** The rectangle around nodes. */
function boxOf(nodes: readonly NodeFields[]) {
  const least = (a: number, b: number) => Math.min(a, b);
  const most = (a: number, b: number) => Math.max(a, b);
  const xs = nodes.map(({ position_x }) => position_x);
  const ys = nodes.map(({ position_y }) => position_y);
  const [x, y] = [xs.reduce(least), ys.reduce(least)];
  return { x, y, width: xs.reduce(most) - x + CARD_WIDTH, height: ys.reduce(most) - y + CARD_HEIGHT };
}

import '@xyflow/react/dist/base.css';
import './canvas/canvas.css';
import { Alert, Button, Group, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useReactFlow } from '@xyflow/react';
import { ArrowLeft, CircleAlert } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Liveness } from '../api/live-events.ts';
import { WatchSelect } from '../inbox/watch-select.tsx';
import { canvasTexts as t } from '../texts/canvas.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { FocusedPart, keepTyping } from '../ui/dialog/early-typing.tsx';
import { lazyPart } from '../ui/lazy-page.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { TextLink } from '../ui/links.tsx';
import { notifyProblem } from '../ui/notify.tsx';
import { useDrafts } from '../ui/unsaved.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { Canvas, type CanvasControls, lookAtAll } from './canvas/canvas.tsx';
import { CARD_HEIGHT, CARD_WIDTH } from './canvas/flow-elements.ts';
import { type Direction, layOut } from './canvas/lay-out.ts';
import { useInView } from './canvas/use-in-view.ts';
import { type Condition, edgeKey, type NodeRecord, type NodeStatus, type NodeType } from './graph/graph.ts';
import { removalOf, updateOf } from './graph/graph-change.ts';
import type { GraphState, GraphStore } from './graph/graph-store.ts';
import { MessageCountsContext, useMessageCounts } from './message-counts.ts';
import type { Draft } from './panel/draft.ts';
import type { EdgeDraft } from './panel/edge-panel.tsx';
import type { RefusedCycle } from './refused-cycle.ts';
import { SelectionMenu } from './selection-menu.tsx';
import { Toolbar } from './toolbar.tsx';
import { useNodeSelection } from './use-node-selection.ts';
import { usePresence, Viewers } from './viewers.tsx';

// The nodes come first; the forms are a quarter of the scripts.
const NodeBoard = lazyPart(() => import('./node-board.tsx'));
const NodePanel = lazyPart(() => import('./panel/node-panel.tsx'));
const EdgePanel = lazyPart(() => import('./panel/edge-panel.tsx'));
const ConnectDialog = lazyPart(() => import('./connect-dialog.tsx'));

const route = getRouteApi('/user/w/$workspaceId/workflows/$workflowId');

/** At a smaller zoom, nobody can read the title that is typed. */
const TYPING_ZOOM = 0.75;

type Opened = { kind: 'node' | 'edge'; id: string; isNew?: boolean } | null;

/** Toolbar, canvas and side panel of a workflow with all actions. */
export function WorkflowBoard(props: {
  store: GraphStore;
  state: GraphState;
  liveness: Liveness;
  cycle: RefusedCycle | null;
  setCycle: (cycle: RefusedCycle | null) => void;
}) {
  const { store, state, cycle, setCycle } = props;
  const { workflow, nodes, edges } = state.graph;
  const { id: workspaceId, may } = useWorkspace();
  const mayEdit = may('member');
  const messageCounts = useMessageCounts(workspaceId, store);
  const flow = useReactFlow();
  const canvas = useRef<CanvasControls>(null);
  const [drafts, hasDrafts] = useDrafts<Draft>();
  const [messages, hasMessages] = useDrafts<string>();
  const [conditions, hasConditions] = useDrafts<EdgeDraft>();
  const [opened, setOpened] = useState<Opened>(null);
  const [connectFrom, setConnectFrom] = useState<string | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [isLasso, setLasso] = useState(false);
  const [isArranging, setArranging] = useState(false);
  const { node: wanted, board: isBoard = false } = route.useSearch();
  const visit = useLocation({ select: ({ state: { __TSR_key: key } }) => key });
  const [lookAt] = useState(wanted !== undefined && nodes.has(wanted) ? wanted : null);

  useEffect(() => {
    document.title = `${workflow.title} · Waymark`;
  }, [workflow.title]);

  const openNode = opened?.kind === 'node' ? opened.id : null;
  const viewers = usePresence(workspaceId, workflow.id, openNode);

  const inUse = renaming ?? openNode ?? '';
  useInView(nodes.get(inUse), nodes, renaming === null ? 0 : TYPING_ZOOM);

  const step = (way: 'undo' | 'redo') => {
    canvas.current?.settle();
    setCycle(null);
    void store[way]();
  };
  const stepByKey = (way: 'undo' | 'redo') => (event: KeyboardEvent) => {
    // A dialog asks about the graph as it is.
    if (!(event.target as Element).closest?.('[role="dialog"]')) step(way);
  };
  useHotkeys(
    mayEdit
      ? [
          ['mod+Z', stepByKey('undo')],
          ['mod+shift+Z', stepByKey('redo')],
          ['mod+Y', stepByKey('redo')],
        ]
      : [],
  );

  async function add(type: NodeType, status: NodeStatus = 'backlog') {
    const { x, y } = canvas.current?.freePlace() ?? placeBelow([...nodes.values()]);
    // The field for the title comes with the response.
    const stopKeeping = keepTyping();
    try {
      const { id } = await store.createNode({
        type,
        title: t.fresh(type),
        position_x: x,
        position_y: y,
        status,
        assigned_to: null,
        external_id: null,
        data: {},
      });
      if (isBoard) return setOpened({ kind: 'node', id, isNew: true });
      canvas.current?.select([id]);
      setOpened(null);
      setRenaming(id);
    } catch (error) {
      stopKeeping();
      notifyProblem(error, { repeat: () => void add(type, status) });
    }
  }

  const rename = useCallback(
    (id: string, title: string | null) => {
      setRenaming(null);
      const node = store.state().graph.nodes.get(id);
      const change = node && title !== null && updateOf(node, { title });
      if (change) void store.change({ label: t.did.rename(node.title), nodes: [change], edges: [] });
    },
    [store],
  );

  async function arrange(direction: Direction) {
    canvas.current?.settle();
    setArranging(true);
    try {
      await store.change(await layOut(store.state().graph, direction));
      await flow.fitView(lookAtAll());
    } catch (error) {
      notifyProblem(error, { repeat: () => void arrange(direction) });
    } finally {
      setArranging(false);
    }
  }

  function remove(nodeIds: string[], edgeKeys: string[]) {
    const change = removalOf(store.state().graph, nodeIds, edgeKeys);
    const go = () => {
      setOpened(null);
      for (const edge of change.edges) conditions.delete(edgeKey(edge));
      void store.change(change);
    };
    if (change.nodes.length === 0) return go();
    confirmDestruction({
      title: t.remove.title(change.nodes.length),
      consequence: t.remove.consequence(change.edges.length),
      act: t.remove.act(change.nodes.length),
      onConfirm: go,
    });
  }

  const selection = useNodeSelection({ store, canvas, mayEdit: mayEdit && !isBoard, remove });

  function connect(source_id: string, target_id: string, condition: Condition = null) {
    setCycle(null);
    if (edges.has(`${source_id}>${target_id}`)) return;
    const edge = { source_id, target_id, before: undefined, after: condition };
    void store.change({ label: t.did.connect, nodes: [], edges: [edge] });
  }

  function move(id: string, dx: number, dy: number) {
    canvas.current?.settle();
    const node = store.state().graph.nodes.get(id);
    const to = node && { position_x: node.position_x + dx, position_y: node.position_y + dy };
    const change = to && updateOf(node, to);
    if (change) void store.change({ label: t.did.nodes('move', 1), nodes: [change], edges: [] });
  }

  function setStatus(node: NodeRecord, status: NodeStatus) {
    const change = updateOf(node, { status });
    if (change) void store.change({ label: t.did.edit(node.title), nodes: [change], edges: [] });
  }

  function setAcyclic(acyclic: boolean) {
    setCycle(null);
    void store.updateWorkflow({ acyclic }).catch((error: unknown) => store.explain(error));
  }

  function goTo(id: string) {
    const node = nodes.get(id);
    if (!node) return;
    canvas.current?.select([id]);
    void flow.setCenter(node.position_x + CARD_WIDTH / 2, node.position_y + CARD_HEIGHT / 2, { zoom: 1 });
    setOpened({ kind: 'node', id });
  }

  // Runs again when the same address is opened again, for example from the search.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must not run whenever the graph changes
  useEffect(() => {
    if (wanted !== undefined) goTo(wanted);
  }, [wanted, visit]);

  function close() {
    if (opened && isBoard) document.getElementById(opened.id)?.querySelector('button')?.focus();
    if (opened?.kind === 'node') canvas.current?.focus(opened.id);
    setOpened(null);
  }

  return (
    <div className="workflow-editor">
      <Group gap="sm" wrap="nowrap">
        <TextLink aria-label={t.all} to="/w/$workspaceId/workflows" params={{ workspaceId }}>
          <ArrowLeft size={20} className="directional" />
        </TextLink>
        <Title order={1} size="h3" lineClamp={1} title={workflow.title}>
          {workflow.title}
        </Title>
        <WatchSelect type="workflow" id={workflow.id} />
      </Group>
      <Toolbar
        state={state}
        mayEdit={mayEdit}
        isBoard={isBoard}
        hasInput={hasDrafts || hasMessages || hasConditions}
        liveness={props.liveness}
        isArranging={isArranging}
        onAdd={(type) => void add(type)}
        onUndo={() => step('undo')}
        onRedo={() => step('redo')}
        onArrange={(direction) => void arrange(direction)}
        onAcyclic={setAcyclic}
        onGoTo={goTo}
        viewers={<Viewers viewers={viewers} nodes={nodes} />}
        selectionMenu={
          <SelectionMenu
            mayEdit={mayEdit}
            isLasso={isLasso}
            onLasso={setLasso}
            onSelectAll={selection.selectAll}
            onDuplicate={selection.duplicate}
            onAlign={selection.align}
            onRemove={selection.removeSelected}
          />
        }
      />
      <div className="workflow-body">
        <div className="workflow-canvas">
          {isBoard ? (
            <LazyPart>
              <NodeBoard
                nodes={[...nodes.values()]}
                onMove={mayEdit ? setStatus : null}
                onAdd={mayEdit ? (type, status) => void add(type, status) : null}
                onOpen={(id) => setOpened({ kind: 'node', id })}
              />
            </LazyPart>
          ) : (
            <MessageCountsContext value={messageCounts}>
              <Canvas
                ref={canvas}
                graph={state.graph}
                mayEdit={mayEdit}
                cycle={cycle?.ids ?? null}
                lookAt={lookAt}
                renaming={renaming}
                isPanelOpen={opened !== null}
                isLasso={isLasso}
                onMove={(change) => void store.change(change)}
                onConnect={connect}
                onConnectFrom={setConnectFrom}
                onOpen={setOpened}
                onRename={setRenaming}
                onRenamed={rename}
                onRemove={remove}
              />
            </MessageCountsContext>
          )}
          <div className="workflow-notes">
            {cycle && (
              <Alert
                color="red"
                variant="outline"
                title={t.cycle}
                icon={<CircleAlert aria-hidden />}
                role="alert"
              >
                <Text size="sm">{cycle.words}</Text>
                <Button size="xs" mt="xs" variant="default" onClick={() => setCycle(null)}>
                  {ui.dismiss}
                </Button>
              </Alert>
            )}
            {nodes.size === 0 && !cycle && !(isBoard && mayEdit) && (
              <Alert variant="default" title={t.empty}>
                <Text size="sm">{mayEdit ? t.begin : t.nothing}</Text>
              </Alert>
            )}
          </div>
        </div>
        <LazyPart>
          {opened?.kind === 'node' && (
            <NodePanel
              key={opened.id}
              id={opened.id}
              isNew={opened.isNew === true}
              store={store}
              graph={state.graph}
              drafts={drafts}
              messages={messages}
              onClose={close}
              onRemove={() => remove([opened.id], [])}
              onConnect={() => setConnectFrom(opened.id)}
              onMove={(dx, dy) => move(opened.id, dx, dy)}
            />
          )}
          {opened?.kind === 'edge' && (
            <EdgePanel
              key={opened.id}
              id={opened.id}
              store={store}
              graph={state.graph}
              drafts={conditions}
              onClose={close}
              onRemove={() => remove([], [opened.id])}
            />
          )}
        </LazyPart>
      </div>
      {connectFrom && nodes.has(connectFrom) && (
        <FocusedPart onClose={() => setConnectFrom(null)}>
          <ConnectDialog
            from={nodes.get(connectFrom)!}
            graph={state.graph}
            onConnect={connect}
            onClose={() => setConnectFrom(null)}
          />
        </FocusedPart>
      )}
    </div>
  );
}

const GAP = 40;

/** A position below all nodes, for one that is added without the canvas. */
function placeBelow(nodes: readonly NodeRecord[]) {
  return {
    x: Math.min(...nodes.map(({ position_x }) => position_x), 0),
    y: Math.max(...nodes.map(({ position_y }) => position_y + CARD_HEIGHT + GAP), 0),
  };
}

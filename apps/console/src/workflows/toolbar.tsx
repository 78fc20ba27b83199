import { ActionIcon, Badge, Button, Group, Menu, Select, Switch, Tooltip } from '@mantine/core';
import { Workflow as LayoutIcon, Redo2, Undo2 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { Liveness } from '../api/live-events.ts';
import { canvasTexts as t } from '../texts/canvas.ts';
import { bestFirst } from '../ui/list/best-first.ts';
import { Layouts } from '../ui/list/layouts.tsx';
import { AddNode } from './add-node.tsx';
import type { Direction } from './canvas/lay-out.ts';
import type { NodeType } from './graph/graph.ts';
import type { GraphState } from './graph/graph-store.ts';

const FOUND_MAX = 50;

export function Toolbar(props: {
  state: GraphState;
  mayEdit: boolean;
  /** Whether a board takes the place of the canvas, and of its controls. */
  isBoard: boolean;
  /** Whether a form has input that its button has not saved yet. */
  hasInput: boolean;
  liveness: Liveness;
  isArranging: boolean;
  onAdd: (type: NodeType) => void;
  onUndo: () => void;
  onRedo: () => void;
  onArrange: (direction: Direction) => void;
  onAcyclic: (acyclic: boolean) => void;
  onGoTo: (nodeId: string) => void;
  selectionMenu: ReactNode;
  viewers: ReactNode;
}) {
  const { state, mayEdit, isBoard, liveness } = props;
  const { nodes, workflow } = state.graph;
  const titles = useMemo(
    () => [...nodes.values()].map(({ id, title }) => ({ value: id, label: title })),
    [nodes],
  );
  return (
    <Group className="workflow-toolbar" gap="xs" role="toolbar" aria-label={t.title}>
      {mayEdit && (
        <>
          {!isBoard && <AddNode size="sm" onAdd={props.onAdd} />}
          <ActionIcon.Group>
            <Tooltip label={state.undo ? t.undoOf(state.undo) : t.noUndo}>
              <ActionIcon
                variant="default"
                size={36}
                aria-label={t.undo}
                {...(state.undo === null && { 'data-disabled': true, 'aria-disabled': true })}
                onClick={props.onUndo}
              >
                <Undo2 size={18} className="directional" />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={state.redo ? t.redoOf(state.redo) : t.noRedo}>
              <ActionIcon
                variant="default"
                size={36}
                aria-label={t.redo}
                {...(state.redo === null && { 'data-disabled': true, 'aria-disabled': true })}
                onClick={props.onRedo}
              >
                <Redo2 size={18} className="directional" />
              </ActionIcon>
            </Tooltip>
          </ActionIcon.Group>
          {!isBoard && (
            <Menu position="bottom-start" withinPortal>
              <Menu.Target>
                <Button
                  variant="default"
                  leftSection={<LayoutIcon size={16} aria-hidden />}
                  loading={props.isArranging}
                >
                  <span className="tool-label">{t.arrange}</span>
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {(['LR', 'TB'] as const).map((direction) => (
                  <Menu.Item key={direction} onClick={() => props.onArrange(direction)}>
                    {t.directions[direction]}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </>
      )}
      {!isBoard && props.selectionMenu}
      <Select
        aria-label={t.goTo}
        placeholder={t.goTo}
        searchable
        selectFirstOptionOnChange
        filter={bestFirst}
        data={titles}
        limit={FOUND_MAX}
        value={null}
        onChange={(id) => id && props.onGoTo(id)}
        nothingFoundMessage={t.noNode}
        className="tool-search"
        w={180}
      />
      <Layouts other={t.canvas} />
      {mayEdit && (
        <Switch
          label={t.acyclic}
          title={t.acyclicHint}
          checked={workflow.acyclic}
          onChange={({ currentTarget }) => props.onAcyclic(currentTarget.checked)}
        />
      )}
      <Group gap="xs" ms="auto">
        {props.viewers}
        <Group gap="xs" role="status">
          <SaveState state={state} hasInput={props.hasInput} />
          <Badge variant="default">{t.liveness[liveness]}</Badge>
        </Group>
      </Group>
    </Group>
  );
}

function SaveState({ state, hasInput }: { state: GraphState; hasInput: boolean }) {
  const { unsaved, isWaiting } = state;
  const settled = hasInput ? t.unsaved : t.saved;
  const words = isWaiting ? t.waiting(unsaved) : unsaved > 0 ? t.saving : settled;
  return <Badge variant="default">{words}</Badge>;
}

import { ActionIcon, Badge, Button, Group, Menu, Select, Switch, Tooltip } from '@mantine/core';
import { Workflow as LayoutIcon, Plus, Redo2, Undo2 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { Liveness } from '../api/live-events.ts';
import type { NodeType } from './graph/graph.ts';
import type { GraphState } from './graph/graph-store.ts';
import { NODE_KINDS, NODE_TYPES } from './node-kinds.ts';

const FOUND_MAX = 50;
const LIVENESS: Record<Liveness, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  refused: 'No access',
};

export function Toolbar(props: {
  state: GraphState;
  mayEdit: boolean;
  /** Whether a form has input that its button has not saved yet. */
  hasInput: boolean;
  liveness: Liveness;
  isArranging: boolean;
  onAdd: (type: NodeType) => void;
  onUndo: () => void;
  onRedo: () => void;
  onArrange: () => void;
  onAcyclic: (acyclic: boolean) => void;
  onGoTo: (nodeId: string) => void;
  selectionMenu: ReactNode;
  viewers: ReactNode;
}) {
  const { state, mayEdit, liveness } = props;
  const { nodes, workflow } = state.graph;
  const titles = useMemo(
    () => [...nodes.values()].map(({ id, title }) => ({ value: id, label: title })),
    [nodes],
  );
  return (
    <Group className="workflow-toolbar" gap="xs" role="toolbar" aria-label="Workflow">
      {mayEdit && (
        <>
          <Menu position="bottom-start" withinPortal>
            <Menu.Target>
              <Button size="sm" leftSection={<Plus size={16} aria-hidden />}>
                <span className="tool-label">Add node</span>
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {NODE_TYPES.map((type) => {
                const { label, icon: Icon, color } = NODE_KINDS[type];
                return (
                  <Menu.Item
                    key={type}
                    leftSection={
                      <Icon size={16} aria-hidden color={`var(--mantine-color-${color}-light-color)`} />
                    }
                    onClick={() => props.onAdd(type)}
                  >
                    {label}
                  </Menu.Item>
                );
              })}
            </Menu.Dropdown>
          </Menu>
          <ActionIcon.Group>
            <Tooltip label={state.undo ? `Undo: ${state.undo} (Ctrl+Z)` : 'Nothing to undo'}>
              <ActionIcon
                variant="default"
                size={36}
                aria-label="Undo"
                {...(state.undo === null && { 'data-disabled': true, 'aria-disabled': true })}
                onClick={props.onUndo}
              >
                <Undo2 size={18} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={state.redo ? `Redo: ${state.redo} (Ctrl+Shift+Z)` : 'Nothing to redo'}>
              <ActionIcon
                variant="default"
                size={36}
                aria-label="Redo"
                {...(state.redo === null && { 'data-disabled': true, 'aria-disabled': true })}
                onClick={props.onRedo}
              >
                <Redo2 size={18} />
              </ActionIcon>
            </Tooltip>
          </ActionIcon.Group>
          <Button
            variant="default"
            leftSection={<LayoutIcon size={16} aria-hidden />}
            loading={props.isArranging}
            onClick={props.onArrange}
          >
            <span className="tool-label">Arrange</span>
          </Button>
        </>
      )}
      {props.selectionMenu}
      <Select
        aria-label="Go to a node"
        placeholder="Go to a node"
        searchable
        data={titles}
        limit={FOUND_MAX}
        value={null}
        onChange={(id) => id && props.onGoTo(id)}
        nothingFoundMessage="No such node"
        className="tool-search"
        w={180}
      />
      {mayEdit && (
        <Switch
          label="Acyclic"
          checked={workflow.acyclic}
          onChange={({ currentTarget }) => props.onAcyclic(currentTarget.checked)}
        />
      )}
      <Group gap="xs" ml="auto">
        {props.viewers}
        <Group gap="xs" role="status">
          <SaveState state={state} hasInput={props.hasInput} />
          <Badge variant="default">{LIVENESS[liveness]}</Badge>
        </Group>
      </Group>
    </Group>
  );
}

function SaveState({ state, hasInput }: { state: GraphState; hasInput: boolean }) {
  const { unsaved, isWaiting } = state;
  const settled = hasInput ? 'Input not saved yet' : 'Saved';
  const words = isWaiting ? `Waiting to save (${unsaved})` : unsaved > 0 ? 'Saving…' : settled;
  return <Badge variant="default">{words}</Badge>;
}

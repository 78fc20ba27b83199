import { Button, Group, Select, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { type Condition, edgeKey, type Graph, type NodeRecord } from './graph/graph.ts';
import { ConditionInput, conditionOf } from './panel/condition-input.tsx';

const SHOWN_MAX = 50;

/** Connects this node to one selected by title, for keyboard users. */
export function ConnectDialog(props: {
  from: NodeRecord;
  graph: Graph;
  onConnect: (source: string, target: string, condition: Condition) => void;
  onClose: () => void;
}) {
  const { from, graph } = props;
  const [target, setTarget] = useState<string | null>(null);
  const [condition, setCondition] = useState('');
  const parsed = conditionOf(condition);
  const targets = useMemo(
    () =>
      [...graph.nodes.values()]
        .filter(
          ({ id }) => id !== from.id && !graph.edges.has(edgeKey({ source_id: from.id, target_id: id })),
        )
        .map(({ id, title }) => ({ value: id, label: title })),
    [graph, from.id],
  );
  return (
    <Dialog onClose={props.onClose} title={`Connect “${from.title}”`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!target || parsed.problem !== null) return;
          props.onConnect(from.id, target, parsed.condition);
          props.onClose();
        }}
      >
        <Stack>
          <Select
            label="To"
            placeholder="Title of a node"
            searchable
            required
            data-autofocus
            data={targets}
            limit={SHOWN_MAX}
            value={target}
            onChange={setTarget}
            nothingFoundMessage="No such node"
          />
          <ConditionInput value={condition} onChange={setCondition} />
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={target === null}>
              Connect
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

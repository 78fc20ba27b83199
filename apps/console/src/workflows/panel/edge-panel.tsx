import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useWorkspace } from '../../session/use-workspace.ts';
import { useUnsaved } from '../../ui/unsaved.ts';
import type { EdgeRecord, Graph } from '../graph/graph.ts';
import { isSame } from '../graph/graph-change.ts';
import type { GraphStore } from '../graph/graph-store.ts';
import { ConditionInput, conditionOf } from './condition-input.tsx';
import { spell } from './json-object.ts';
import { Panel } from './panel.tsx';

/** An edge: what it joins, and its condition. */
export function EdgePanel(props: {
  edge: EdgeRecord;
  graph: Graph;
  store: GraphStore;
  onClose: () => void;
  onRemove: () => void;
}) {
  const { edge, graph, store } = props;
  const mayEdit = useWorkspace().may('member');
  const [seen, setSeen] = useState(edge.condition);
  const [text, setText] = useState(() => (edge.condition === null ? '' : spell(edge.condition)));
  const { condition, problem } = conditionOf(text);
  const titleOf = (id: string) => graph.nodes.get(id)?.title ?? '';
  const hasMoved = !isSame(edge.condition, seen);
  useUnsaved(problem !== null || !isSame(condition, edge.condition));

  async function save() {
    const { source_id, target_id } = edge;
    const change = { source_id, target_id, before: edge.condition, after: condition };
    if (await store.change({ label: 'edit a condition', nodes: [], edges: [change] })) setSeen(condition);
  }

  return (
    <Panel title="Edge" onClose={props.onClose}>
      <Stack>
        <Text>
          From <strong>{titleOf(edge.source_id)}</strong> to <strong>{titleOf(edge.target_id)}</strong>
        </Text>
        {hasMoved && (
          <Alert variant="outline" color="red" title="Somebody changed the condition meanwhile">
            <Text size="sm" ff="monospace">
              {edge.condition === null ? 'It has none now.' : spell(edge.condition)}
            </Text>
            <Button
              size="xs"
              mt="xs"
              variant="default"
              onClick={() => {
                setSeen(edge.condition);
                setText(edge.condition === null ? '' : spell(edge.condition));
              }}
            >
              Take theirs
            </Button>
          </Alert>
        )}
        {mayEdit ? (
          <>
            <ConditionInput value={text} onChange={setText} />
            <Group>
              <Button
                disabled={problem !== null || isSame(condition, edge.condition)}
                onClick={() => void save()}
              >
                {hasMoved ? 'Save mine' : 'Save'}
              </Button>
              <Button variant="default" onClick={props.onRemove}>
                Disconnect
              </Button>
            </Group>
          </>
        ) : (
          <Text size="sm">{edge.condition === null ? 'Without a condition.' : spell(edge.condition)}</Text>
        )}
      </Stack>
    </Panel>
  );
}

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { canvasTexts } from '../../texts/canvas.ts';
import { nodePanelTexts as t } from '../../texts/node-panel.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import type { Drafts } from '../../ui/unsaved.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { type Condition, type EdgeRecord, edgeKey, type Graph } from '../graph/graph.ts';
import { isSame } from '../graph/graph-change.ts';
import type { GraphStore } from '../graph/graph-store.ts';
import { ConditionInput, conditionOf } from './condition-input.tsx';
import { GonePanel } from './gone-panel.tsx';
import { spell } from './json-object.ts';
import { Panel } from './panel.tsx';

/** The input of the condition, and the condition on which it is based. */
export interface EdgeDraft {
  seen: Condition;
  text: string;
}

const draftOf = ({ condition }: EdgeRecord): EdgeDraft => ({
  seen: condition,
  text: condition === null ? '' : spell(condition),
});

function isTyped({ seen, text }: EdgeDraft): boolean {
  const { condition, problem } = conditionOf(text);
  return problem !== null || !isSame(condition, seen);
}

interface Props {
  id: string;
  graph: Graph;
  store: GraphStore;
  drafts: Drafts<EdgeDraft>;
  onClose: () => void;
  onRemove: () => void;
}

/** The panel of an edge: its nodes and condition. Input outlives the panel and the edge. */
export default function EdgePanel(props: Props) {
  const { id, graph, drafts, onClose } = props;
  const edge = graph.edges.get(id);
  if (edge) return <EdgeForm edge={edge} {...props} />;
  const draft = drafts.get(id);
  if (!draft) return null;
  const close = () => {
    drafts.delete(id);
    onClose();
  };
  return <GonePanel what="edge" typed={[draft.text]} onClose={close} />;
}

function EdgeForm(props: Props & { edge: EdgeRecord }) {
  const { edge, graph, store, drafts } = props;
  const key = edgeKey(edge);
  const mayEdit = useWorkspace().may('member');
  const [draft, setDraft] = useState(() => drafts.get(key) ?? draftOf(edge));
  const { condition, problem } = conditionOf(draft.text);
  const titleOf = (id: string) => graph.nodes.get(id)?.title ?? '';
  const isUnsaved = isTyped(draft) && (problem !== null || !isSame(condition, edge.condition));
  const hasMoved = isUnsaved && !isSame(edge.condition, draft.seen);

  useEffect(() => {
    if (isUnsaved) drafts.set(key, draft);
    else drafts.delete(key);
  }, [drafts, draft, isUnsaved, key]);

  useEffect(() => setDraft((known) => (isTyped(known) ? known : draftOf(edge))), [edge]);

  async function save() {
    const { source_id, target_id } = edge;
    const change = { source_id, target_id, before: edge.condition, after: condition };
    if (await store.change({ label: canvasTexts.did.condition, nodes: [], edges: [change] }))
      setDraft((known) => ({ ...known, seen: condition }));
  }

  return (
    <Panel title={t.edge.title} onClose={props.onClose}>
      <Stack>
        <Text>
          {t.edge.ends(
            <strong>{titleOf(edge.source_id)}</strong>,
            <strong>{titleOf(edge.target_id)}</strong>,
          )}
        </Text>
        {hasMoved && (
          <Alert variant="outline" color="red" title={t.edge.changed}>
            <Text size="sm" ff="monospace">
              {edge.condition === null ? t.edge.noneNow : spell(edge.condition)}
            </Text>
            <Button size="xs" mt="xs" variant="default" onClick={() => setDraft(draftOf(edge))}>
              {t.takeTheirs}
            </Button>
          </Alert>
        )}
        {mayEdit ? (
          <>
            <ConditionInput
              value={draft.text}
              onChange={(text) => setDraft((known) => ({ ...known, text }))}
            />
            <Group>
              <Button
                disabled={problem !== null || isSame(condition, edge.condition)}
                onClick={() => void save()}
              >
                {hasMoved ? t.saveMine : ui.save}
              </Button>
              <Button variant="default" onClick={props.onRemove}>
                {t.edge.disconnect}
              </Button>
            </Group>
          </>
        ) : (
          <Text size="sm">{edge.condition === null ? t.edge.none : spell(edge.condition)}</Text>
        )}
      </Stack>
    </Panel>
  );
}

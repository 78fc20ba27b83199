import { Button, Group, Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { canvasTexts } from '../texts/canvas.ts';
import { nodePanelTexts } from '../texts/node-panel.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { bestFirst } from '../ui/list/best-first.ts';
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
  const t = nodePanelTexts.connect;
  const [target, setTarget] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
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
    <Dialog onClose={props.onClose} title={t.title(from.title)}>
      <Form
        error={null}
        onSubmit={() => {
          setTried(true);
          if (!target || parsed.problem !== null) return;
          props.onConnect(from.id, target, parsed.condition);
          props.onClose();
        }}
      >
        <Select
          label={t.to}
          placeholder={t.node}
          searchable
          selectFirstOptionOnChange
          filter={bestFirst}
          required
          data={targets}
          limit={SHOWN_MAX}
          value={target}
          onChange={setTarget}
          error={isTried && target === null && canvasTexts.noNode}
          nothingFoundMessage={canvasTexts.noNode}
        />
        <ConditionInput value={condition} onChange={setCondition} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {ui.cancel}
          </Button>
          <Button type="submit">{t.act}</Button>
        </Group>
      </Form>
    </Dialog>
  );
}

import { Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo } from 'react';
import { canvasTexts } from '../texts/canvas.ts';
import { nodePanelTexts } from '../texts/node-panel.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { FormDialog } from '../ui/dialog/form-dialog.tsx';
import { bestFirst } from '../ui/list/best-first.ts';
import { type Condition, edgeKey, type Graph, type NodeRecord } from './graph/graph.ts';
import { ConditionInput, conditionOf } from './panel/condition-input.tsx';

const SHOWN_MAX = 50;

/** Connects this node to one selected by title, for keyboard users. */
export default function ConnectDialog(props: {
  from: NodeRecord;
  graph: Graph;
  onConnect: (source: string, target: string, condition: Condition) => void;
  onClose: () => void;
}) {
  const { from, graph } = props;
  const t = nodePanelTexts.connect;
  const form = useForm({
    initialValues: { target: null as string | null, condition: '' },
    validate: {
      target: (target) => (target === null ? canvasTexts.noNode : null),
      condition: (text) => conditionOf(text).problem,
    },
  });
  const connect = ({ target, condition }: typeof form.values) => {
    props.onConnect(from.id, target!, conditionOf(condition).condition);
    props.onClose();
  };
  const targets = useMemo(
    () =>
      [...graph.nodes.values()]
        .filter(
          ({ id }) => id !== from.id && !graph.edges.has(edgeKey({ source_id: from.id, target_id: id })),
        )
        .map(({ id, title }) => ({ value: id, label: title })),
    [graph, from.id],
  );
  const title = t.title(from.title);
  if (targets.length === 0) {
    return (
      <Dialog title={title} onClose={props.onClose}>
        <Text size="sm">{graph.nodes.size > 1 ? t.allConnected : t.noOther}</Text>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={title}
      onClose={props.onClose}
      form={form}
      change={{ error: null, isPending: false, mutate: connect }}
      act={t.act}
      isUnsaved={false}
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
        nothingFoundMessage={canvasTexts.noNode}
        {...form.getInputProps('target')}
      />
      <ConditionInput value={form.values.condition} {...form.getInputProps('condition')} />
    </FormDialog>
  );
}

import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { nodePanelTexts as t } from '../../texts/node-panel.ts';
import { nodesTexts } from '../../texts/nodes.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import type { NodeRecord } from '../graph/graph.ts';
import { conflictsOf, type Draft, type DraftValues, draftOf, type FormField, rebase } from './draft.ts';

const inWords = (name: FormField, values: DraftValues) =>
  name === 'status' ? nodesTexts.statuses[values.status] : values[name] || t.nobody;

/** Resolves a conflict field by field when two people changed the same fields. */
export function ConflictDialog(props: {
  draft: Draft;
  theirs: NodeRecord;
  isSaving: boolean;
  onClose: () => void;
  onChoose: (resolved: Draft) => void;
}) {
  const { draft, theirs } = props;
  const [fields] = useState(() => conflictsOf(draft, theirs));
  const [taken, setTaken] = useState<readonly FormField[]>([]);
  const their = draftOf(theirs).values;

  function choose() {
    const joined = rebase(draft, theirs);
    const values = { ...joined.values, ...Object.fromEntries(taken.map((name) => [name, their[name]])) };
    props.onChoose({ ...joined, values });
  }

  return (
    <Dialog size="lg" onClose={props.onClose} title={t.conflict.title}>
      <Stack>
        <Text size="sm">{t.conflict.hint}</Text>
        {fields.map((name) => (
          <Radio.Group
            key={name}
            label={t.fields[name]}
            value={taken.includes(name) ? 'theirs' : 'yours'}
            onChange={(value) =>
              setTaken((known) => [
                ...known.filter((other) => other !== name),
                ...(value === 'theirs' ? [name] : []),
              ])
            }
          >
            <Stack gap="xs" mt="xs">
              <Radio
                value="yours"
                label={t.conflict.yours}
                description={<Value>{inWords(name, draft.values)}</Value>}
              />
              <Radio
                value="theirs"
                label={t.conflict.theirs}
                description={<Value>{inWords(name, their)}</Value>}
              />
            </Stack>
          </Radio.Group>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {t.conflict.stay}
          </Button>
          <Button loading={props.isSaving} onClick={choose}>
            {t.conflict.save}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Value({ children }: { children: string }) {
  return (
    <Text component="span" size="sm" style={{ whiteSpace: 'pre-wrap' }}>
      {children}
    </Text>
  );
}

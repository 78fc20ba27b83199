import { Button, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { insightTexts } from '../texts/insight.ts';
import { wordsTexts as words } from '../texts/words.ts';
import { useChange } from '../ui/use-change.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';

type Outcome = NonNullable<Schemas['DecisionUpdate']['outcome']>;

const OUTCOMES: Outcome[] = ['success', 'partial', 'failure', 'abandoned'];

/** Logs a decision's outcome in the queue; notes can be added on the decision's page. */
export function OutcomeChoice({ id, title }: { id: string; title: string }) {
  const t = insightTexts.overdue;
  const { id: workspaceId } = useWorkspace();
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const log = useChange({
    mutationFn: (body: { outcome: Outcome }) =>
      unwrap(api.PATCH('/decisions/{id}', { params: { path: { id }, query: { workspaceId } }, body })),
    changes: [queryKeys.metrics(workspaceId), queryKeys.decisions(workspaceId)],
    done: t.logged(title),
  });
  return (
    <Group gap="xs" wrap="nowrap" miw={190}>
      <NativeSelect
        size="xs"
        aria-label={t.outcomeOf(title)}
        data={[
          { value: '', label: t.choose, disabled: true },
          ...OUTCOMES.map((value) => ({ value, label: words.outcome[value] })),
        ]}
        value={outcome}
        onChange={(event) => setOutcome(event.currentTarget.value as Outcome)}
      />
      <Button
        size="xs"
        variant="default"
        disabled={outcome === ''}
        loading={log.isPending}
        aria-label={t.logOf(title)}
        onClick={() => outcome && log.mutate({ outcome })}
      >
        {t.log}
      </Button>
    </Group>
  );
}

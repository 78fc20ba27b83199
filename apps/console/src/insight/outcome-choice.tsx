import { Button, Group, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { notifyDone, notifyProblem } from '../ui/notify.tsx';

type Outcome = NonNullable<Schemas['DecisionUpdate']['outcome']>;

const NONE = { value: '', label: 'Choose', disabled: true };
const OUTCOMES: Outcome[] = ['success', 'partial', 'failure', 'abandoned'];

/** Logs a decision's outcome in the queue; notes can be added on the decision's page. */
export function OutcomeChoice({ id, title }: { id: string; title: string }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const log = useMutation({
    mutationFn: (body: { outcome: Outcome }) =>
      unwrap(api.PATCH('/decisions/{id}', { params: { path: { id }, query: { workspaceId } }, body })),
    onSuccess: () => {
      notifyDone(`The outcome of “${title}” is logged.`);
      void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspaceId) });
      return queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
    },
    onError: notifyProblem,
  });
  return (
    <Group gap="xs" wrap="nowrap" miw={190}>
      <NativeSelect
        size="xs"
        aria-label={`Outcome of ${title}`}
        data={[NONE, ...OUTCOMES]}
        value={outcome}
        onChange={(event) => setOutcome(event.currentTarget.value as Outcome)}
      />
      <Button
        size="xs"
        variant="default"
        disabled={outcome === ''}
        loading={log.isPending}
        aria-label={`Log outcome of ${title}`}
        onClick={() => outcome && log.mutate({ outcome })}
      >
        Log
      </Button>
    </Group>
  );
}

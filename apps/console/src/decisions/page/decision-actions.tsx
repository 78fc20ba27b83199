import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { notifyDone, notifyProblem } from '../../ui/notify.tsx';
import { decisionKeys } from '../decision-keys.ts';
import type { Decision } from '../decision-words.ts';
import { OutcomeDialog } from './outcome-dialog.tsx';

export function DecisionActions({ decision }: { decision: Decision }) {
  const { id, workspace_id: workspaceId, title } = decision;
  const [isLogging, setLogging] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/decisions/{id}', { params: { path: { id }, query: { workspaceId } } })),
    onSuccess: async () => {
      await navigate({ to: '/w/$workspaceId/decisions', params: { workspaceId } });
      queryClient.removeQueries({ queryKey: decisionKeys.one(workspaceId, id) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspaceId) });
      notifyDone('The decision is deleted.');
    },
    onError: notifyProblem,
  });
  const askToRemove = () =>
    confirmDestruction({
      title: 'Delete this decision?',
      consequence: `This deletes “${title}” with its history and outcomes. To mark it as no longer valid, archive it instead.`,
      act: 'Delete',
      onConfirm: () => remove.mutate(),
    });
  return (
    <>
      <Button onClick={() => setLogging(true)}>Log outcome</Button>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            to="/w/$workspaceId/decisions/$decisionId/edit"
            params={{ workspaceId, decisionId: id }}
            {...props}
          />
        )}
      >
        Edit
      </Button>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            to="/w/$workspaceId/decisions/new"
            params={{ workspaceId }}
            search={{ supersedes: id }}
            {...props}
          />
        )}
      >
        Replace
      </Button>
      <Button variant="default" loading={remove.isPending} onClick={askToRemove}>
        Delete
      </Button>
      {isLogging && <OutcomeDialog decision={decision} onClose={() => setLogging(false)} />}
    </>
  );
}

import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { bodyOf, type DecisionEntries, newEntries } from '../decision-entries.ts';
import { DecisionLink } from '../decision-link.tsx';
import { DecisionForm } from './decision-form.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions/new');

export function NewDecisionPage() {
  const { id: workspaceId } = useWorkspace();
  const { supersedes } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [initial] = useState(() => ({ ...newEntries(), supersedes: supersedes ? [supersedes] : [] }));
  const keyFor = useIdempotencyKey();
  const create = useMutation({
    mutationFn: (entries: DecisionEntries) => {
      const { title, question, status, ...others } = bodyOf(entries);
      const body = {
        ...others,
        workspaceId,
        ...(title && { title }),
        ...(question && { question }),
        ...(status !== 'archived' && { status }),
      };
      const header = { 'Idempotency-Key': keyFor(JSON.stringify(body)) };
      return unwrap(api.POST('/decisions', { params: { header }, body }));
    },
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspaceId) });
      notifyDone('The decision is logged.');
      await navigate({
        to: '/w/$workspaceId/decisions/$decisionId',
        params: { workspaceId, decisionId: id },
        ignoreBlocker: true,
      });
    },
  });
  return (
    <Page title="New decision">
      {supersedes && (
        <Text size="sm" mb="md">
          It will take the place of <DecisionLink id={supersedes}>the decision before</DecisionLink>.
        </Text>
      )}
      <DecisionForm
        initial={initial}
        act="Log decision"
        isNew
        error={create.error}
        isSaving={create.isPending}
        save={(entries) => create.mutate(entries)}
        cancel={
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/w/$workspaceId/decisions" params={{ workspaceId }} {...props} />
            )}
          >
            Cancel
          </Button>
        }
      />
    </Page>
  );
}

/**
 * Repeating the same input after a lost response creates no second decision; changed input is a new
 * request.
 */
function useIdempotencyKey(): (body: string) => string {
  const last = useRef({ body: '', key: '' });
  return (body) => {
    if (last.current.body !== body) {
      last.current = { body, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    }
    return last.current.key;
  };
}

import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionFormTexts as t } from '../../texts/decision-form.ts';
import { Page } from '../../ui/page.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useDraft } from '../../workspace/use-draft.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { bodyOf, type DecisionEntries, newEntries, revivedEntries } from '../decision-entries.ts';
import { DecisionLink } from '../decision-link.tsx';
import { DecisionForm } from './decision-form.tsx';
import { DraftNotice } from './draft-notice.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions/new');

export function NewDecisionPage() {
  const { supersedes } = route.useSearch();
  const { id: workspaceId } = useWorkspace();
  return <NewDecision key={`${workspaceId} ${supersedes}`} supersedes={supersedes} />;
}

function NewDecision({ supersedes }: { supersedes: string | undefined }) {
  const { id: workspaceId } = useWorkspace();
  const draft = useDraft(`new.${supersedes ?? ''}`, revivedEntries);
  const navigate = route.useNavigate();
  const [initial] = useState(() => ({ ...newEntries(), supersedes: supersedes ? [supersedes] : [] }));
  const keyFor = useIdempotencyKey();
  const create = useChange({
    mutationFn: (entries: DecisionEntries) => {
      const { title, question, status, ...others } = bodyOf(entries);
      const body = {
        ...others,
        workspaceId,
        ...(question && !title ? { question } : { title, ...(question && { question }) }),
        ...(status !== 'archived' && { status }),
      };
      const headers = { 'Idempotency-Key': keyFor(JSON.stringify(body)) };
      return api.post('/decisions', { body }, { headers });
    },
    changes: [queryKeys.decisions(workspaceId), queryKeys.metrics(workspaceId)],
    isAtOnce: true,
    done: t.logged,
    onSuccess: async ({ id }) => {
      draft.drop();
      await navigate({
        to: '/w/$workspaceId/decisions/$decisionId',
        params: { workspaceId, decisionId: id },
        ignoreBlocker: true,
      });
    },
  });
  return (
    <Page title={t.newDecision}>
      {supersedes && (
        <Text size="sm" mb="md">
          {t.replaces(<DecisionLink id={supersedes}>{t.before}</DecisionLink>)}
        </Text>
      )}
      <DecisionForm
        key={draft.discards}
        initial={initial}
        entries={draft.found?.content}
        draft={draft}
        notice={draft.found && <DraftNotice at={draft.found.at} />}
        act={t.log}
        isNew
        error={create.error}
        isSaving={create.isPending}
        save={(entries) => create.mutate(entries)}
        leave={() =>
          navigate({ to: '/w/$workspaceId/decisions', params: { workspaceId }, ignoreBlocker: true })
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

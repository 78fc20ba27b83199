import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionPageTexts as t } from '../../texts/decision-page.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { FocusedPart } from '../../ui/dialog/early-typing.tsx';
import { MoreAction, MoreMenu } from '../../ui/dialog/more-menu.tsx';
import { lazyPart } from '../../ui/lazy-page.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { useChange } from '../../ui/use-change.ts';
import { decisionKeys } from '../decision-keys.ts';
import type { Decision } from '../decision-words.ts';
import { useChangeDecision } from '../use-change-decision.ts';

const OutcomeDialog = lazyPart(() => import('./outcome-dialog.tsx'));
const ReviewDialog = lazyPart(() => import('./review-dialog.tsx'));

export function DecisionActions({ decision }: { decision: Decision }) {
  const { id, workspace_id: workspaceId, title } = decision;
  const [open, setOpen] = useState<'outcome' | 'review' | null>(null);
  const close = () => setOpen(null);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useChange({
    mutationFn: () => api.delete('/decisions/{id}', { id, workspaceId }),
    changes: [queryKeys.decisions(workspaceId), queryKeys.metrics(workspaceId)],
    isAtOnce: true,
    done: t.remove.done,
    onSuccess: async () => {
      await navigate({ to: '/w/$workspaceId/decisions', params: { workspaceId } });
      queryClient.removeQueries({ queryKey: decisionKeys.one(workspaceId, id) });
    },
  });
  // It is decided first; the API takes an outcome at any time.
  const isUndecided = decision.status === 'proposed' && decision.outcome === 'pending';
  const accept = useChangeDecision({ onDone: () => notifyDone(t.accept.done) });
  const askToRemove = () =>
    confirmDestruction({
      title: t.remove.title,
      consequence: t.remove.consequence(title),
      act: ui.delete,
      onConfirm: () => remove.mutate(),
    });
  return (
    <>
      {isUndecided ? (
        <Button
          loading={accept.isPending}
          onClick={() => accept.mutate({ base: decision, body: { status: 'accepted' } })}
        >
          {t.accept.act}
        </Button>
      ) : (
        <Button aria-keyshortcuts="o" onClick={() => setOpen('outcome')}>
          {t.log.act}
        </Button>
      )}
      {decision.status === 'accepted' && (
        <Button variant="default" aria-keyshortcuts="r" onClick={() => setOpen('review')}>
          {t.review.act}
        </Button>
      )}
      <ButtonLink
        variant="default"
        to="/w/$workspaceId/decisions/$decisionId/edit"
        params={{ workspaceId, decisionId: id }}
      >
        {ui.edit}
      </ButtonLink>
      <MoreMenu isBusy={remove.isPending}>
        <Link
          className="place mantine-focus-auto"
          to="/w/$workspaceId/decisions/new"
          params={{ workspaceId }}
          search={{ supersedes: id }}
        >
          {t.replace}
        </Link>
        <MoreAction isDanger onClick={askToRemove}>
          {ui.delete}
        </MoreAction>
      </MoreMenu>
      {open !== null && (
        <FocusedPart onClose={close}>
          {open === 'review' ? (
            <ReviewDialog decision={decision} onClose={close} />
          ) : (
            <OutcomeDialog decision={decision} onClose={close} />
          )}
        </FocusedPart>
      )}
    </>
  );
}

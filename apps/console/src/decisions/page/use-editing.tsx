import { Alert, Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { decisionTexts } from '../../texts/decision.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { TextLink } from '../../ui/links.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { mayDiscardDraft } from '../../ui/unsaved.ts';
import { useDraft } from '../../workspace/use-draft.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { type EditDraft, editDraftName, revivedDraft } from '../decision-draft.ts';
import type { Section } from '../decision-entries.ts';
import type { Decision } from '../decision-words.ts';
import type { Editing } from './editable.tsx';

/**
 * Editing in place, and a notice of a draft from an earlier visit or another tab. The draft continues in the
 * whole form: a section does not show what else it changes.
 */
export function useEditing(decision: Decision) {
  const t = decisionPageTexts.draft;
  const { may } = useWorkspace();
  const navigate = useNavigate();
  const draft = useDraft<EditDraft>(editDraftName(decision.id), revivedDraft);
  const [{ open, last }, setOpen] = useState<Pick<NonNullable<Editing>, 'open' | 'last'>>({
    open: null,
    last: null,
  });
  if (!may('member')) return { editing: null, notice: null };
  const form = {
    to: '/w/$workspaceId/decisions/$decisionId/edit',
    params: { workspaceId: decision.workspace_id, decisionId: decision.id },
  } as const;
  const editing: Editing = {
    decision,
    open,
    last,
    start: (section: Section['id']) =>
      draft.find() ? void navigate(form) : setOpen({ open: section, last }),
    stop: () => setOpen({ open: null, last: open }),
  };
  const discard = async () => {
    if (await mayDiscardDraft()) draft.discard();
  };
  const notice = draft.found && (
    <Alert variant="outline" mt="sm" role="status" title={t.title}>
      <Text size="sm">{t.kept(<Moment at={new Date(draft.found.at).toISOString()} />)}</Text>
      <Group mt="xs" gap="xs">
        <TextLink size="sm" {...form}>
          {t.open}
        </TextLink>
        <Button size="xs" variant="default" onClick={() => void discard()}>
          {decisionTexts.discardDraft}
        </Button>
      </Group>
    </Alert>
  );
  return { editing, notice };
}

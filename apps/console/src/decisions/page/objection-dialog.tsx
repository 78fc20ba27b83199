import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { giveVerdict } from './give-verdict.ts';

/** Objects to the text of a decision, with a reason. */
export default function ObjectionDialog(props: { id: string; contentSha256: string; onClose: () => void }) {
  const t = decisionPageTexts.approvals;
  const { id, onClose } = props;
  // A repeated objection must not go to a text that has changed meanwhile.
  const [contentSha256] = useState(props.contentSha256);
  const { id: workspaceId } = useWorkspace();
  const form = useForm({ initialValues: { reason: '' } });
  const object = useChange({
    mutationFn: ({ reason }: { reason: string }) =>
      giveVerdict(workspaceId, id, { verdict: 'object', contentSha256, reason }),
    changes: [queryKeys.decisions(workspaceId)],
    done: t.given,
    isAtOnce: true,
  });
  return (
    <FormDialog
      title={t.objection}
      onClose={onClose}
      form={form}
      change={object}
      keepsInput
      act={t.give.object}
    >
      <Textarea label={t.reason} required autosize minRows={3} {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

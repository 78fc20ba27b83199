import { NativeSelect, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionDialogsTexts } from '../../texts/decision-dialogs.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import type { Decision } from '../decision-words.ts';
import { LinkedDecisionsField } from '../form/linked-decisions-field.tsx';

type Result = Schemas['DecisionReview']['result'];
const RESULTS: Result[] = ['reaffirm', 'change', 'supersede'];

/** Reviews an accepted decision. */
export default function ReviewDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const t = decisionDialogsTexts.review;
  const { id, workspace_id: workspaceId } = decision;
  const form = useForm({
    initialValues: { result: 'reaffirm' as Result, supersededBy: [] as string[], note: '' },
  });
  const { result } = form.values;
  const review = useChange({
    mutationFn: ({ note, supersededBy: [supersededBy] }: typeof form.values) => {
      const successor = result === 'supersede' && supersededBy !== undefined && { supersededBy };
      const body = { result, note: note.trim() || null, ...successor };
      return api.post('/decisions/{id}/reviews', { id, workspaceId, body });
    },
    changes: [queryKeys.decisions(workspaceId)],
    done: t.done,
    isAtOnce: true,
  });
  return (
    <FormDialog
      title={t.title}
      onClose={onClose}
      form={form}
      change={review}
      keepsInput
      act={decisionPageTexts.review.act}
    >
      <NativeSelect
        label={t.result}
        data={RESULTS.map((value) => ({ value, label: t.results[value] }))}
        {...form.getInputProps('result')}
      />
      {result === 'supersede' && (
        <LinkedDecisionsField
          label={t.successor}
          description={t.successorHint}
          most={1}
          self={id}
          {...form.getInputProps('supersededBy')}
        />
      )}
      <Textarea label={t.note} autosize minRows={3} {...form.getInputProps('note')} />
    </FormDialog>
  );
}

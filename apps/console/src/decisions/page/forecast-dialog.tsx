import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionTexts } from '../../texts/decision.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { number } from '../../texts/format.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { percentOf } from '../decision-entries.ts';

/** Gives the user's forecast of a decision, or changes it. */
export default function ForecastDialog(props: {
  id: string;
  mine: Schemas['Forecast'] | null;
  onClose: () => void;
}) {
  const t = decisionPageTexts.forecasts;
  const { id, mine, onClose } = props;
  const { id: workspaceId } = useWorkspace();
  const form = useForm({
    initialValues: {
      /** In percent. */
      probability: mine ? number(100 * mine.probability, { maximumFractionDigits: 2 }) : '',
      reason: mine?.reason ?? '',
    },
    validate: {
      probability: (text) =>
        text.trim() !== '' && percentOf(text) >= 0 && percentOf(text) <= 100
          ? null
          : decisionTexts.percentNeeded,
    },
  });
  const give = useChange({
    mutationFn: ({ probability, reason }: typeof form.values) => {
      const body = { probability: percentOf(probability) / 100, reason: reason.trim() || null };
      return api.put('/decisions/{id}/forecast', { id, workspaceId, body });
    },
    changes: [queryKeys.decisions(workspaceId)],
    done: t.given,
    isAtOnce: true,
  });
  return (
    <FormDialog
      title={mine ? t.change : t.give}
      onClose={onClose}
      form={form}
      change={give}
      titles={{ CONFLICT: t.closed }}
      keepsInput
      act={t.save}
    >
      <TextInput label={t.probability} required inputMode="decimal" {...form.getInputProps('probability')} />
      <Textarea label={t.reason} autosize minRows={3} {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

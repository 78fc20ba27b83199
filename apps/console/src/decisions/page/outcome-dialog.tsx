import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { decisionTexts } from '../../texts/decision.ts';
import { decisionDialogsTexts } from '../../texts/decision-dialogs.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { percent, sentence } from '../../texts/format.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { percentOf } from '../decision-entries.ts';
import { type Decision, OUTCOMES, type Outcome } from '../decision-words.ts';
import { useChangeDecision } from '../use-change-decision.ts';

/** Logs the outcome of a decision. */
export default function OutcomeDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const t = decisionDialogsTexts.log;
  // A repeated save must not overwrite a change that somebody else saved meanwhile.
  const [base] = useState(decision);
  const isPending = decision.outcome === 'pending';
  const change = useChangeDecision({ onDone: () => notifyDone(t.done) });
  const form = useForm({
    initialValues: {
      outcome: isPending ? '' : decision.outcome,
      notes: decision.outcome_notes ?? '',
      /** In percent. */
      confidence: '',
    },
    validate: {
      confidence: (confidence) =>
        percentOf(confidence) >= 0 && percentOf(confidence) <= 100 ? null : decisionTexts.percentNeeded,
    },
  });
  const none = { value: '', label: t.choose, disabled: true };
  const logged = OUTCOMES.filter((outcome) => outcome !== 'pending').map((value) => ({
    value,
    label: sentence(words.outcome[value]),
  }));
  const takenBack = { value: 'pending', label: t.tooEarly };
  const mutate = (
    { outcome, notes, confidence }: typeof form.values,
    then: Parameters<typeof change.mutate>[1],
  ) => {
    const body = {
      outcome: outcome as Outcome,
      outcomeNotes: notes.trim() || null,
      ...(confidence.trim() && { outcomeConfidence: percentOf(confidence) / 100 }),
    };
    change.mutate({ base, body }, then);
  };
  return (
    <FormDialog
      title={t.title}
      onClose={onClose}
      form={form}
      change={{ ...change, mutate }}
      keepsInput
      act={decisionPageTexts.log.act}
    >
      <NativeSelect
        label={decisionTexts.field('outcome')}
        required
        data={isPending ? [none, ...logged] : [...logged, takenBack]}
        {...form.getInputProps('outcome')}
      />
      <Textarea label={t.notes} autosize minRows={3} {...form.getInputProps('notes')} />
      {isPending && decision.outcome_confidence !== null && (
        <Hint>{t.frozen(percent(decision.outcome_confidence, 1))}</Hint>
      )}
      {isPending && decision.outcome_confidence === null && (
        <TextInput
          label={t.hindsight}
          description={t.hindsightHint}
          inputMode="decimal"
          {...form.getInputProps('confidence')}
        />
      )}
    </FormDialog>
  );
}

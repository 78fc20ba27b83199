import { Button, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { type Decision, OUTCOMES, type Outcome } from '../decision-words.ts';
import { useChangeDecision } from '../use-change-decision.ts';

const LOGGED = OUTCOMES.filter((outcome) => outcome !== 'pending');
const NONE = { value: '', label: 'Choose what came of it', disabled: true };
const TAKEN_BACK = { value: 'pending', label: 'pending: logged too early' };

/** Logs the outcome of a decision. */
export function OutcomeDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  // A repeated save must not overwrite what somebody else saved meanwhile.
  const [base] = useState(decision);
  const isPending = decision.outcome === 'pending';
  const change = useChangeDecision({
    onDone: () => {
      notifyDone('The outcome is logged.');
      onClose();
    },
  });
  const form = useForm({
    initialValues: {
      outcome: isPending ? '' : decision.outcome,
      notes: decision.outcome_notes ?? '',
      /** In percent. */
      confidence: '',
    },
    validate: {
      confidence: (confidence) =>
        Number(confidence) >= 0 && Number(confidence) <= 100 ? null : 'A number from 0 to 100',
    },
  });
  const submit = form.onSubmit(({ outcome, notes, confidence }) =>
    change.mutate({
      base,
      body: {
        outcome: outcome as Outcome,
        outcomeNotes: notes.trim() || null,
        ...(confidence.trim() && { outcomeConfidence: Number(confidence) / 100 }),
      },
    }),
  );
  return (
    <Dialog title="Log the outcome" onClose={onClose} isUnsaved={form.isDirty()}>
      <Form onSubmit={submit} error={change.error} form={form}>
        <NativeSelect
          label="Outcome"
          required
          data={isPending ? [NONE, ...LOGGED] : [...LOGGED, TAKEN_BACK]}
          data-autofocus
          {...form.getInputProps('outcome')}
        />
        <Textarea
          label="Notes: what happened, and what you learned"
          autosize
          minRows={3}
          {...form.getInputProps('notes')}
        />
        {isPending && decision.outcome_confidence !== null && (
          <Text size="sm" c="dimmed">
            The forecast of {Math.round(decision.outcome_confidence * 1_000) / 10} % can no longer be changed.
            It counts in the calibration.
          </Text>
        )}
        {isPending && decision.outcome_confidence === null && (
          <TextInput
            label="Confidence in hindsight, in percent"
            description="Stored with the outcome. Only earlier forecasts count in the calibration"
            inputMode="decimal"
            {...form.getInputProps('confidence')}
          />
        )}
        <Button type="submit" loading={change.isPending}>
          Log outcome
        </Button>
      </Form>
    </Dialog>
  );
}

import { useForm } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { decisionTexts as decision } from '../../texts/decision.ts';
import { decisionFormTexts as t } from '../../texts/decision-form.ts';
import { mayDiscardDraft, useUnsaved } from '../../ui/unsaved.ts';
import type { KeptDraft } from '../../workspace/use-draft.ts';
import { type DecisionEntries, percentOf } from '../decision-entries.ts';

export type FormDraft = Pick<KeptDraft<DecisionEntries>, 'state' | 'keep' | 'drop' | 'discard'>;

/** The fields of a decision, with a draft of the values that differ from the initial ones. */
export function useDecisionForm(props: {
  initial: DecisionEntries;
  /** The values of a draft, if there is one. */
  entries: DecisionEntries | undefined;
  draft: FormDraft;
  isNew: boolean;
  leave: () => unknown;
}) {
  const { initial, entries, draft, isNew, leave } = props;
  const form = useForm<DecisionEntries>({
    initialValues: entries ?? initial,
    validate: {
      title: (title, { question }) =>
        title.trim() === '' && (!isNew || question.trim() === '') ? t.titleNeeded : null,
      forecast: (forecast) =>
        percentOf(forecast) >= 0 && percentOf(forecast) <= 100 ? null : decision.percentNeeded,
      options: {
        title: (title, { options }, path) => {
          const { pros = '', cons = '' } = options[Number(path.split('.')[1])] ?? {};
          return title.trim() === '' && (pros + cons).trim() !== '' ? t.optionNeeded : null;
        },
      },
    },
  });
  const { values, isDirty, resetDirty } = form;
  const known = useRef(values);
  // The values of a draft differ from the values that a save compares them with.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, before anything is typed
  useEffect(() => resetDirty(initial), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft and the form are new at each render
  useEffect(() => {
    if (known.current === values) return;
    known.current = values;
    if (isDirty()) draft.keep(values);
    else draft.drop();
  }, [values]);
  // Leaving loses nothing while this browser keeps the draft.
  useUnsaved(draft.state === 'failed' && isDirty());
  async function cancel(): Promise<void> {
    if (isDirty() && !(await mayDiscardDraft())) return;
    draft.drop();
    await leave();
  }
  return { form, cancel };
}

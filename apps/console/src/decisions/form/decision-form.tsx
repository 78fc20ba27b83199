import '../../ui/columns.css';
import { Button, Text } from '@mantine/core';
import { type ReactElement, type ReactNode, useDeferredValue } from 'react';
import { decisionTexts as decision } from '../../texts/decision.ts';
import { decisionFormTexts as t } from '../../texts/decision-form.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { Form } from '../../ui/form.tsx';
import { FormSteps } from '../../ui/form-steps.tsx';
import { mayDiscardDraft } from '../../ui/unsaved.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import type { DecisionEntries } from '../decision-entries.ts';
import { isFilled, isInError, SECTIONS } from '../decision-entries.ts';
import type { Decision } from '../decision-words.ts';
import { QualityBreakdown } from '../quality-breakdown.tsx';
import { DraftState } from './draft-notice.tsx';
import { draftQuality } from './draft-quality.ts';
import { SectionFields } from './section-fields.tsx';
import { type FormDraft, useDecisionForm } from './use-decision-form.ts';

/** The form of a decision with its quality score. Calls `save` with the values. */
export function DecisionForm(props: {
  initial: DecisionEntries;
  /** The values of a draft, if there is one. */
  entries: DecisionEntries | undefined;
  draft: FormDraft;
  /** A notice about the draft. */
  notice: ReactNode;
  act: string;
  /** The edited decision, which cannot link to itself. */
  self?: string;
  /** A new decision cannot be archived. */
  isNew: boolean;
  /** The kind of the confidence that the first outcome froze; undefined while there can be a forecast. */
  frozenKind?: Decision['outcome_confidence_kind'] | undefined;
  error: unknown;
  /** Shown instead of the error's message. */
  explanation?: ReactElement | undefined;
  isSaving: boolean;
  save: (entries: DecisionEntries) => void;
  leave: () => unknown;
}) {
  const { initial, entries, draft, notice, act, self, isNew, frozenKind } = props;
  const { error, explanation, isSaving, save, leave } = props;
  const { form, cancel } = useDecisionForm({ initial, entries, draft, isNew, leave });
  const { quality_model: model } = useWorkspace();
  const quality = draftQuality(useDeferredValue(form.values), model, frozenKind);
  async function discard(): Promise<void> {
    if (await mayDiscardDraft()) draft.discard();
  }
  return (
    <div className="columns">
      <Form
        onSubmit={form.onSubmit(save)}
        error={error}
        explanation={explanation}
        form={form}
        label={t.label}
        noValidate
      >
        {notice}
        <FormSteps
          steps={SECTIONS.map((section) => ({
            name: decision.sections[section.id],
            isNeeded:
              section.id === 'title' || isFilled(section, form.values) || isInError(section, form.errors),
            fields: (
              <SectionFields
                section={section.id}
                form={form}
                self={self}
                isNew={isNew}
                isFrozen={frozenKind !== undefined}
              />
            ),
          }))}
          status={
            <Text size="sm" fw={600} role="status">
              {t.score(quality.score)}
            </Text>
          }
        >
          <Button type="submit" loading={isSaving}>
            {act}
          </Button>
          <Button variant="default" onClick={() => void cancel()}>
            {ui.cancel}
          </Button>
        </FormSteps>
        <DraftState state={draft.state} discard={() => void discard()} />
      </Form>
      <div>
        <div style={{ position: 'sticky', top: 'calc(var(--shell-header) + var(--mantine-spacing-lg))' }}>
          <QualityBreakdown quality={quality} />
        </div>
      </div>
    </div>
  );
}

import { Button, Group, Text } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { decisionFormTexts as t } from '../../texts/decision-form.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { Form } from '../../ui/form.tsx';
import type { Section } from '../decision-entries.ts';
import type { Decision } from '../decision-words.ts';
import { SectionFields } from './section-fields.tsx';
import { useDecisionForm } from './use-decision-form.ts';
import { useEditDecision } from './use-edit-decision.tsx';

interface Edited {
  decision: Decision;
  section: Section['id'];
  close: () => void;
}

/** Edits one section of a decision in its place on the page. */
export default function SectionEditor(props: Edited) {
  const { discards, ...edit } = useEditDecision(props.decision, props.close);
  return <SectionForm key={discards} {...props} edit={edit} />;
}

function SectionForm(props: Edited & { edit: Omit<ReturnType<typeof useEditDecision>, 'discards'> }) {
  const { decision, section, close, edit } = props;
  const { initial, entries, draft, frozenKind, error, explanation, isSaving, save } = edit;
  const { form, cancel } = useDecisionForm({ initial, entries, draft, isNew: false, leave: close });
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, []);
  function cancelByKey(event: KeyboardEvent): void {
    // A list of suggestions closes first.
    const isOpenList = (event.target as Element).getAttribute('aria-expanded') === 'true';
    if (event.key !== 'Escape' || isOpenList || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void cancel();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is that of the button below
    <div ref={element} onKeyDown={cancelByKey} style={{ flex: 1 }}>
      <Form
        onSubmit={form.onSubmit(save)}
        error={error}
        explanation={explanation}
        form={form}
        noValidate
        gap="sm"
      >
        <SectionFields
          section={section}
          form={form}
          self={decision.id}
          isNew={false}
          isFrozen={frozenKind !== undefined}
        />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={isSaving}>
            {ui.save}
          </Button>
          <Button size="xs" variant="default" onClick={() => void cancel()}>
            {ui.cancel}
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {t.keys}
          </Text>
        </Group>
      </Form>
    </div>
  );
}

import './editable.css';
import { ActionIcon, Button, Group, type MantineSpacing, Stack, VisuallyHidden } from '@mantine/core';
import { Pencil, Plus } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { decisionTexts } from '../../texts/decision.ts';
import { decisionPageTexts as t } from '../../texts/decision-page.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { FocusedPart } from '../../ui/dialog/early-typing.tsx';
import { lazyPart } from '../../ui/lazy-page.ts';
import type { Section } from '../decision-entries.ts';
import type { Decision } from '../decision-words.ts';

const SectionEditor = lazyPart(() => import('../form/section-editor.tsx'));

/** Editing in place; null for users who may not. */
export type Editing = {
  decision: Decision;
  /** The open section; while there is one, no other can be opened. */
  open: Section['id'] | null;
  /** The section that was open before, which has the focus again. */
  last: Section['id'] | null;
  start: (section: Section['id']) => void;
  stop: () => void;
} | null;

/** A section of the page with a button that edits it; Enter and `e` press it. */
export function Editable(props: {
  section: Section['id'];
  editing: Editing;
  /** Between its parts. */
  gap?: MantineSpacing;
  children: ReactNode;
}) {
  const { section, editing, gap = 0 } = props;
  const children = <Stack gap={gap}>{props.children}</Stack>;
  const button = useFocusAfter<HTMLButtonElement>(section, editing);
  if (editing === null) return children;
  if (editing.open === section) {
    return (
      <FocusedPart fallback={children} onClose={editing.stop}>
        <SectionEditor decision={editing.decision} section={section} close={editing.stop} />
      </FocusedPart>
    );
  }
  if (editing.open !== null) return children;
  function focusButton({ target }: MouseEvent): void {
    const isOwn = (target as Element).closest('a, button') !== null;
    if (!isOwn && getSelection()?.isCollapsed !== false) button.current?.focus({ preventScroll: true });
  }
  function startByKey(event: KeyboardEvent): void {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== 'e' || !isPlain || editing === null) return;
    event.preventDefault();
    editing.start(section);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a larger target for the button in it
    <div className="editable" onClick={focusButton} onKeyDown={startByKey}>
      <ActionIcon ref={button} variant="default" aria-keyshortcuts="e" onClick={() => editing.start(section)}>
        <VisuallyHidden>{t.editSection(decisionTexts.sections[section])}</VisuallyHidden>
        <Pencil size={14} aria-hidden />
      </ActionIcon>
      {children}
    </div>
  );
}

/** Buttons that add the sections which a decision lacks. */
export function AddSections({ missing, editing }: { missing: Section['id'][]; editing: Editing }) {
  if (editing === null || missing.length === 0) return null;
  const { open } = editing;
  if (open !== null && missing.includes(open)) {
    return (
      <Editable section={open} editing={editing}>
        {null}
      </Editable>
    );
  }
  if (open !== null) return null;
  return (
    <Group gap="xs" role="group" aria-label={ui.add}>
      {missing.map((section) => (
        <AddButton key={section} section={section} editing={editing} />
      ))}
    </Group>
  );
}

function AddButton({ section, editing }: { section: Section['id']; editing: NonNullable<Editing> }) {
  const button = useFocusAfter<HTMLButtonElement>(section, editing);
  return (
    <Button
      ref={button}
      variant="default"
      size="xs"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={() => editing.start(section)}
    >
      {decisionTexts.sections[section]}
    </Button>
  );
}

/** Focuses the button of a section once its editor is closed. */
function useFocusAfter<T extends HTMLElement>(section: Section['id'], editing: Editing) {
  const button = useRef<T>(null);
  const isAfter = editing !== null && editing.open === null && editing.last === section;
  useEffect(() => {
    if (isAfter) button.current?.focus();
  }, [isAfter]);
  return button;
}

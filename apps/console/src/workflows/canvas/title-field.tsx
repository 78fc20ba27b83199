import { limits } from '@waymark/client/facts';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { canvasTexts as t } from '../../texts/canvas.ts';

/** Edits a node's title in place. Enter and a click elsewhere save, Escape does not. */
export function TitleField(props: { title: string; onDone: (title: string | null) => void }) {
  const { title, onDone } = props;
  const field = useRef<HTMLInputElement>(null);
  const isCancelled = useRef(false);

  useEffect(() => {
    field.current!.focus({ preventScroll: true });
    field.current!.select();
  }, []);

  // The canvas removes nodes that leave the view, and a removed field loses the focus: that saves nothing.
  function onBlur({ currentTarget: { value } }: FocusEvent<HTMLInputElement>) {
    if (field.current) onDone(isCancelled.current ? null : value.trim() || null);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    isCancelled.current = event.key === 'Escape';
    // Moves the focus off the field, which ends the editing.
    event.currentTarget.closest<HTMLElement>('.react-flow__node')!.focus({ preventScroll: true });
  }

  return (
    <input
      ref={field}
      className="node-title-field nodrag"
      aria-label={t.nodeTitle}
      maxLength={limits.titleCharacters}
      defaultValue={title}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  );
}

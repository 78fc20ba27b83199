import { Combobox, Textarea, useCombobox } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { threadTexts as t } from '../texts/thread.ts';
import { type Typed, typedMention, written } from '../ui/text/mentions.ts';
import { usePeople } from '../workspace/people.ts';
import type { MessageFieldProps } from './message-field.tsx';

const OFFERED = 8;

/** A field for a message. After an @ it offers the members; arrow keys and Enter choose one. */
export default function MessageInput(props: MessageFieldProps & { placeholder?: string }) {
  const { value, onChange, isFocused } = props;
  const people = usePeople(value.includes('@')) ?? [];
  const field = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  const [typed, setTyped] = useState<Typed | null>(null);
  const offered = typed
    ? people.filter(({ name }) => name.toLowerCase().includes(typed.name)).slice(0, OFFERED)
    : [];
  const isOpen = offered.length > 0;
  const combobox = useCombobox({
    opened: isOpen,
    onOpenedChange: (opened) => {
      if (!opened) setTyped(null);
    },
  });
  // Before the next key, behind the text that it has.
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing must not move the caret
  useLayoutEffect(() => {
    if (!isFocused) return;
    field.current?.focus();
    field.current?.setSelectionRange(value.length, value.length);
  }, [isFocused]);
  const { selectFirstOption } = combobox;
  useEffect(() => {
    if (isOpen && typed) selectFirstOption();
  }, [isOpen, typed, selectFirstOption]);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  function mention(id: string): void {
    const person = people.find((one) => one.id === id);
    if (!typed || !person) return;
    const before = `${value.slice(0, typed.from)}${written(person, people)} `;
    caret.current = before.length;
    setTyped(null);
    onChange(before + value.slice(field.current?.selectionStart ?? value.length));
    field.current?.focus();
  }

  return (
    <Combobox store={combobox} onOptionSubmit={mention} position="bottom-start" withinPortal={false}>
      <Combobox.Target withKeyboardNavigation={isOpen}>
        <Textarea
          ref={field}
          aria-label={props.label}
          aria-autocomplete="list"
          placeholder={props.placeholder}
          autosize
          minRows={3}
          maxRows={12}
          value={value}
          onChange={({ currentTarget: { value: text, selectionStart } }) => {
            setTyped(typedMention(text, selectionStart));
            onChange(text);
          }}
          onBlur={() => setTyped(null)}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isOpen}>
        <Combobox.Options aria-label={t.people}>
          {offered.map(({ id, name }) => (
            <Combobox.Option key={id} value={id}>
              {name}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

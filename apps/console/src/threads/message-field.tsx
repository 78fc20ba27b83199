import { InputBase } from '@mantine/core';
import { type ComponentType, use, useState } from 'react';
import { LazyPart } from '../ui/lazy-part.tsx';

export interface MessageFieldProps {
  label: string;
  /** Takes the focus when it appears. */
  isFocused: boolean;
  value: string;
  onChange: (value: string) => void;
}

const never = new Promise<never>(() => {});

// As a ref, it runs once for an element.
const focusEnd = (element: HTMLTextAreaElement | null) => {
  element?.focus();
  element?.setSelectionRange(element.value.length, element.value.length);
};

/** A lazy field, and until it is loaded a plain one, so that no typed, pasted or composed text is lost. */
export function MessageField(props: MessageFieldProps & { lazy: ComponentType<MessageFieldProps> }) {
  const { lazy: Loaded, ...field } = props;
  const { label, value, onChange } = field;
  const [isFocused, setFocused] = useState(field.isFocused);
  const [isComposing, setComposing] = useState(false);
  const plain = (
    <InputBase
      component="textarea"
      multiline
      ref={field.isFocused ? focusEnd : undefined}
      rows={3}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setComposing(false)}
    />
  );
  return (
    <LazyPart fallback={plain}>
      {isComposing && <Never />}
      <Loaded {...field} isFocused={isFocused} />
    </LazyPart>
  );
}

/** An input method that loses its field ends, with a text half composed. */
const Never = () => use(never);

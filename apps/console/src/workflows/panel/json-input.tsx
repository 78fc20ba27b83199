import { Textarea, type TextareaProps } from '@mantine/core';

/** A field for JSON text. */
export function JsonInput(props: TextareaProps) {
  return (
    <Textarea
      autosize
      dir="ltr"
      styles={{ input: { fontFamily: 'monospace' } }}
      spellCheck={false}
      {...props}
    />
  );
}

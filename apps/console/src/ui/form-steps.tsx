import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

export interface FormStep {
  name: string;
  fields: ReactNode;
}

/** The fields of a long form: all of them on a wide screen, one step at a time on a phone. */
export function FormSteps(props: {
  steps: FormStep[];
  /** Stays in view on a phone. */
  status: ReactNode;
  /** What ends the form. */
  children: ReactNode;
}) {
  const { steps, status, children } = props;
  const element = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const isLast = at === steps.length - 1;
  useEffect(() => {
    const reveal = ({ target }: Event) => {
      const found = [...(element.current?.children ?? [])].findIndex((step) => step.contains(target as Node));
      // At once, because the field is focused next; an effect itself cannot flush.
      if (found >= 0) queueMicrotask(() => flushSync(() => setAt(found)));
    };
    const { current } = element;
    current?.addEventListener('reveal', reveal);
    return () => current?.removeEventListener('reveal', reveal);
  }, []);

  function go(to: number): void {
    flushSync(() => setAt(to));
    const step = element.current?.children[to];
    step?.querySelector<HTMLElement>('input, textarea, select')?.focus({ preventScroll: true });
    step?.scrollIntoView({ block: 'start' });
  }
  return (
    <>
      <div ref={element}>
        {steps.map(({ name, fields }, index) => (
          <Box key={name} {...(index !== at && { visibleFrom: 'sm' })} mb="md">
            <Text size="sm" c="dimmed" mb="sm" hiddenFrom="sm">
              Step {index + 1} of {steps.length}: {name}
            </Text>
            <Stack>{fields}</Stack>
          </Box>
        ))}
      </div>
      <Paper className="form-bar" p="xs">
        <Group justify="space-between" gap="xs">
          <Box hiddenFrom="sm">{status}</Box>
          <Group gap="xs" hiddenFrom="sm">
            <Button variant="default" disabled={at === 0} onClick={() => go(at - 1)}>
              Back
            </Button>
            <Button variant="default" disabled={isLast} onClick={() => go(at + 1)}>
              Next
            </Button>
          </Group>
          <Group gap="xs">{children}</Group>
        </Group>
      </Paper>
    </>
  );
}

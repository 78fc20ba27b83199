import { Box, Button, Group, Paper, Stack } from '@mantine/core';
import { Plus } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { uiTexts as t } from '../texts/ui.ts';
import { Hint } from './text/hint.ts';
import './form-steps.css';

export interface FormStep {
  name: string;
  /** Whether it is there without being added: it has content or an error, or the form begins with it. */
  isNeeded: boolean;
  fields: ReactNode;
}

const FIELD = 'input:not([type="hidden"]), textarea, select';

/**
 * The fields of a form that grows: steps that are not needed are added by buttons. All steps are in view on a
 * wide screen, one at a time on a phone.
 */
export function FormSteps(props: {
  steps: FormStep[];
  /** Stays in view where the page has one column. */
  status: ReactNode;
  /** The end of the form. */
  children: ReactNode;
}) {
  const { steps, status, children } = props;
  const element = useRef<HTMLDivElement>(null);
  /** A step that was needed stays when its last word is deleted. */
  const [added, setAdded] = useState<readonly string[]>([]);
  const [current, setCurrent] = useState(steps[0]!.name);
  const isAdded = ({ name }: FormStep) => added.includes(name);
  const needed = steps.filter((step) => step.isNeeded && !isAdded(step)).map(({ name }) => name);
  // While rendering, as React documents it: a field in error is focused right after.
  if (needed.length > 0) setAdded([...added, ...needed]);
  const open = steps.filter((step) => step.isNeeded || isAdded(step));
  const closed = steps.filter((step) => !open.includes(step));
  const at = Math.max(
    0,
    open.findIndex(({ name }) => name === current),
  );
  useEffect(() => {
    const reveal = ({ target }: Event) => {
      const name = (target as Element).closest<HTMLElement>('[data-step]')?.dataset['step'];
      // At once, because the field is focused next; an effect itself cannot flush.
      if (name !== undefined) queueMicrotask(() => flushSync(() => setCurrent(name)));
    };
    const { current: shown } = element;
    shown?.addEventListener('reveal', reveal);
    return () => shown?.removeEventListener('reveal', reveal);
  }, []);

  function show(name: string): void {
    flushSync(() => {
      setAdded((known) => [...new Set([...known, name])]);
      setCurrent(name);
    });
    const step = element.current?.querySelector(`[data-step="${CSS.escape(name)}"]`);
    step?.querySelector<HTMLElement>(FIELD)?.focus({ preventScroll: true });
    step?.scrollIntoView({ block: 'nearest' });
  }
  return (
    <>
      <div ref={element}>
        {open.map(({ name, fields }, index) => (
          <Box key={name} data-step={name} {...(index !== at && { visibleFrom: 'sm' })} mb="md">
            {open.length > 1 && (
              <Hint mb="sm" hiddenFrom="sm">
                {t.step(index + 1, open.length, name)}
              </Hint>
            )}
            <Stack>{fields}</Stack>
          </Box>
        ))}
      </div>
      {closed.length > 0 && (
        <Group gap="xs" role="group" aria-label={t.add}>
          {closed.map(({ name }) => (
            <Button
              key={name}
              variant="default"
              size="xs"
              leftSection={<Plus size={14} />}
              onClick={() => show(name)}
            >
              {name}
            </Button>
          ))}
        </Group>
      )}
      <Paper className="form-bar" py="xs" px={{ base: 'xs', md: 0 }}>
        <Group justify="space-between" gap="xs">
          <Box hiddenFrom="md">{status}</Box>
          {open.length > 1 && (
            <Group gap="xs" hiddenFrom="sm">
              <Button variant="default" disabled={at === 0} onClick={() => show(open[at - 1]!.name)}>
                {t.back}
              </Button>
              <Button
                variant="default"
                disabled={at === open.length - 1}
                onClick={() => show(open[at + 1]!.name)}
              >
                {t.next}
              </Button>
            </Group>
          )}
          <Group gap="xs">{children}</Group>
        </Group>
      </Paper>
    </>
  );
}

import { Group, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Hint } from './hint.ts';

interface SectionProps {
  /** The id of its heading. */
  id?: string;
  title: string;
  /** A line that explains it. */
  about?: ReactNode;
  /** Beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of a page, with a heading. */
export function Section({ title, about, actions, children, ...given }: SectionProps) {
  const unnamed = useId();
  const { id = unnamed } = given;
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" align="flex-end" mb="sm">
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {about && <Hint maw={720}>{about}</Hint>}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  );
}

/** A section in a frame. */
export function FramedSection(props: SectionProps) {
  return (
    <Paper withBorder p="md">
      <Section {...props} />
    </Paper>
  );
}

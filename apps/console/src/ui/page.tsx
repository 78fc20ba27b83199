import { Box, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** A page's heading and actions, and the title of the browser tab. */
export function Page(props: {
  title: string;
  /** A link to the page above, before the heading. */
  back?: ReactNode;
  /** The heading, if it is more than the title. */
  heading?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  maxWidth?: number;
}) {
  useEffect(() => {
    document.title = `${props.title} · Waymark`;
  }, [props.title]);
  return (
    <Box maw={1200} mx="auto">
      {props.back && <Box mb="2xs">{props.back}</Box>}
      <Group justify="space-between" mb="lg" gap="sm">
        {props.heading ?? <Title order={1}>{props.title}</Title>}
        {props.actions && <Group gap="xs">{props.actions}</Group>}
      </Group>
      <Box maw={props.maxWidth}>{props.children}</Box>
    </Box>
  );
}

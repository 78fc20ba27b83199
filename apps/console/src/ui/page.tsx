import { Box, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** A page's heading and actions, and the title of the browser tab. */
export function Page(props: { title: string; actions?: ReactNode; children: ReactNode; maxWidth?: number }) {
  useEffect(() => {
    document.title = `${props.title} · Waymark`;
  }, [props.title]);
  return (
    <Box maw={props.maxWidth ?? 1200} mx="auto">
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={1} size="h2">
          {props.title}
        </Title>
        {props.actions && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.children}
    </Box>
  );
}

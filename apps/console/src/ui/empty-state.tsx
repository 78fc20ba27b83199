import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown instead of an empty list: explains the list, and offers the first step. */
export function EmptyState(props: { icon: ReactNode; title: string; hint: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="sm" py="2xl" maw={480} mx="auto" ta="center">
      <ThemeIcon size={48} radius="lg" variant="light" aria-hidden>
        {props.icon}
      </ThemeIcon>
      <Title order={2} size="h3">
        {props.title}
      </Title>
      <Text c="dimmed" component="div">
        {props.hint}
      </Text>
      {props.action}
    </Stack>
  );
}

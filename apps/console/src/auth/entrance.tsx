import { Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { authTexts as t } from '../texts/auth.ts';
import { LanguageSelect } from '../ui/language-select.tsx';
import { Mark } from '../ui/mark.tsx';

/** The frame of the pages for users who are not signed in. */
export function Entrance(props: { title: string; children: ReactNode; below: ReactNode }) {
  const { title, children, below } = props;
  useEffect(() => {
    document.title = `${title} · Waymark`;
  }, [title]);
  return (
    <main className="entrance">
      <Group gap="sm" justify="center">
        <Mark size={32} />
        <Text fw={600} size="xl">
          Waymark
        </Text>
      </Group>
      <Text size="sm" c="dimmed" ta="center" mt="xs" mb="xl">
        {t.about}
      </Text>
      <Paper withBorder p="xl" shadow="lg" radius="lg">
        <Title order={1} size="h2" mb="md">
          {title}
        </Title>
        {children}
      </Paper>
      <Text ta="center" mt="md" size="sm" component="div">
        {below}
      </Text>
      <Group justify="center" mt="md">
        <LanguageSelect />
      </Group>
    </main>
  );
}

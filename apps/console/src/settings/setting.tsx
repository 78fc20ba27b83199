import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import './setting.css';

/** One setting: its heading, its fields, and last a `SettingFooter`. */
export function Setting({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="setting" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="sm">
        {title}
      </Title>
      <div className="setting-card">{children}</div>
    </section>
  );
}

/** The limits of a setting, or what it does, and the button that applies it. */
export function SettingFooter({ hint, children }: { hint: string; children?: ReactNode }) {
  return (
    <Group className="setting-footer" justify="space-between" gap="xs">
      <Text size="sm" c="dimmed" flex={1} miw={200}>
        {hint}
      </Text>
      {children}
    </Group>
  );
}

import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Hint } from '../ui/text/hint.ts';
import './setting.css';

/** One setting: its heading, its fields, and last a `SettingFooter`. */
export function Setting({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="setting" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="sm" tabIndex={-1}>
        {title}
      </Title>
      <div className="setting-card">{children}</div>
    </section>
  );
}

/** The limits or the effect of a setting, and the button that applies it. */
export function SettingFooter({ hint, children }: { hint: string; children?: ReactNode }) {
  return (
    <Group className="setting-footer" justify="space-between" gap="xs">
      <Hint flex={1} miw={200}>
        {hint}
      </Hint>
      {children}
    </Group>
  );
}

import { Button, Checkbox, Group, NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSuspenseQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import type { ReactNode } from 'react';
import { sessionQuery } from '../../session/session-query.ts';
import { cliLoginTexts as t } from '../../texts/cli-login.ts';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';

export const KEY_DAYS = limits.loginKeySeconds / 86_400;

export interface KeyGiven {
  workspaceId: string;
  /** For an hour. */
  changesSettings: boolean;
}

/** Asks for which workspace a command line gets a key. */
export function KeyConsent(props: {
  scope: 'read' | 'write';
  create: { error: unknown; isPending: boolean; mutate: (given: KeyGiven) => void };
  onDecline: (reason: 'role' | 'denied') => void;
  children: ReactNode;
}) {
  const { scope, create, onDecline, children } = props;
  const { data } = useSuspenseQuery(sessionQuery);
  const workspaces = data.workspaces.filter(({ role }) => role === 'owner' || role === 'admin');
  const form = useForm<KeyGiven>({
    initialValues: { workspaceId: workspaces[0]?.id ?? '', changesSettings: false },
  });
  const mayCreate = workspaces.length > 0;
  return (
    <ChangeForm form={form} change={create}>
      {children}
      {!mayCreate && <Text>{t.role}</Text>}
      {mayCreate && (
        <>
          <NativeSelect
            label={t.workspace}
            data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('workspaceId')}
          />
          <Text size="sm">
            {t.may[scope]} {t.validFor(KEY_DAYS)}
          </Text>
          {scope === 'write' && (
            <Checkbox
              label={t.settings}
              description={t.settingsHint}
              {...form.getInputProps('changesSettings', { type: 'checkbox' })}
            />
          )}
        </>
      )}
      <Group>
        {mayCreate && <SubmitButton of={create}>{t.allow}</SubmitButton>}
        <Button variant="default" onClick={() => onDecline(mayCreate ? 'denied' : 'role')}>
          {t.decline}
        </Button>
      </Group>
    </ChangeForm>
  );
}

import { Button, Checkbox, Group, NativeSelect, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { type ReactNode, useState } from 'react';
import { sessionQuery } from '../../session/session-query.ts';
import { cliLoginTexts as t } from '../../texts/cli-login.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';

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
  const [chosen, setChosen] = useState(workspaces[0]?.id ?? '');
  const [changesSettings, setChangesSettings] = useState(false);
  const mayCreate = workspaces.length > 0;
  return (
    <Form error={create.error} onSubmit={() => create.mutate({ workspaceId: chosen, changesSettings })}>
      {children}
      {!mayCreate && <Text>{t.role}</Text>}
      {mayCreate && (
        <>
          <NativeSelect
            label={t.workspace}
            data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <Text size="sm">
            {t.may[scope]} {t.validFor(KEY_DAYS)}
          </Text>
          {scope === 'write' && (
            <Checkbox
              label={t.settings}
              description={t.settingsHint}
              checked={changesSettings}
              onChange={(event) => setChangesSettings(event.currentTarget.checked)}
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
    </Form>
  );
}

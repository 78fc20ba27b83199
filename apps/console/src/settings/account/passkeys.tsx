import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { createPasskey, hasPasskeys } from '../../session/passkeys.ts';
import { settingsAccountTexts as t } from '../../texts/settings-account.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { useChange } from '../../ui/use-change.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { accountQuery } from './account-query.ts';
import { browserOf } from './browser-of.ts';
import { CurrentPassword } from './current-password.tsx';
import { PasskeyDialog } from './passkey-dialog.tsx';

type Passkey = Schemas['Passkey'];

/** The user's passkeys. */
export function Passkeys({ hasPassword }: { hasPassword: boolean }) {
  const [opened, setOpened] = useState<{ act: 'rename' | 'remove'; passkey: Passkey } | null>(null);
  return (
    <Setting id="passkeys" title={t.passkeys.title}>
      <QueryState query={useQuery(accountQuery)}>
        {({ passkeys }) =>
          passkeys.length > 0 && (
            <DataTable columns={t.passkeys.columns} minWidth={620} label={t.passkeys.title}>
              {passkeys.map((passkey) => (
                <tr key={passkey.id}>
                  <td>
                    <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                      {passkey.name}
                    </Text>
                    {passkey.synced && <Hint>{t.passkeys.synced}</Hint>}
                  </td>
                  <td>
                    <Moment at={passkey.created_at} />
                  </td>
                  <td>
                    <Moment at={passkey.last_used_at} />
                  </td>
                  <td>
                    <Group gap="xs">
                      {(['rename', 'remove'] as const).map((act) => (
                        <RowButton
                          key={act}
                          aria-label={t.passkeys.actOn[act](passkey.name)}
                          onClick={() => setOpened({ act, passkey })}
                        >
                          {ui[act]}
                        </RowButton>
                      ))}
                    </Group>
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </QueryState>
      {hasPasskeys() ? (
        <NewPasskey hasPassword={hasPassword} />
      ) : (
        <SettingFooter hint={t.passkeys.unsupported} />
      )}
      {opened && <PasskeyDialog {...opened} hasPassword={hasPassword} onClose={() => setOpened(null)} />}
    </Setting>
  );
}

function NewPasskey({ hasPassword }: { hasPassword: boolean }) {
  const initialValues = { name: browserOf(navigator.userAgent), currentPassword: '' };
  const form = useForm({ initialValues });
  const create = useChange({
    mutationFn: ({ name, currentPassword }: typeof initialValues) =>
      createPasskey({ name, ...(hasPassword && { currentPassword }) }),
    changes: [queryKeys.account],
    done: ({ name }) => t.passkeys.added(name),
    onSuccess: () => form.reset(),
  });
  return (
    <ChangeForm label={t.passkeys.new} form={form} change={create}>
      <Stack maw={420}>
        <TextInput
          label={t.passkeys.name}
          description={t.passkeys.nameHint}
          required
          {...form.getInputProps('name')}
        />
        {hasPassword && <CurrentPassword {...form.getInputProps('currentPassword')} />}
      </Stack>
      <SettingFooter hint={t.passkeys.hint}>
        <SubmitButton variant="default" of={create}>
          {t.passkeys.add}
        </SubmitButton>
      </SettingFooter>
    </ChangeForm>
  );
}

import { Anchor, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, unwrap } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { useChange } from '../../ui/use-change.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { CurrentPassword } from './current-password.tsx';

/** Changes the password, or sets a first one for users of single sign-on. */
export function ChangePassword({ hasPassword }: { hasPassword: boolean }) {
  const t = settingsAccountTexts.password;
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
  const change = useChange({
    mutationFn: ({ currentPassword, newPassword }: typeof form.values) => {
      const body = { newPassword, ...(hasPassword && { currentPassword }) };
      return unwrap(api.POST('/auth/password', { body }));
    },
    changes: [queryKeys.session, queryKeys.sessions],
    done: hasPassword ? t.changed : t.wasSet,
    onSuccess: () => form.reset(),
  });
  const title = hasPassword ? t.change : t.set;
  return (
    <Setting id="change-password" title={title}>
      <Form onSubmit={form.onSubmit((values) => change.mutate(values))} error={change.error} form={form}>
        <Stack maw={420}>
          {hasPassword ? (
            <CurrentPassword label={t.current} {...form.getInputProps('currentPassword')} />
          ) : (
            <Text size="sm">
              {t.singleSignOn(
                <Anchor size="sm" underline="always" href="/v1/auth/oidc/start?returnTo=%2Faccount">
                  {t.signInAgain}
                </Anchor>,
              )}
            </Text>
          )}
          <PasswordInput
            label={t.new}
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
        </Stack>
        <SettingFooter hint={t.newHint}>
          <SubmitButton of={change}>{title}</SubmitButton>
        </SettingFooter>
      </Form>
    </Setting>
  );
}

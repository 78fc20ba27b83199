import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import { signInMethodsQuery } from '../../session/session-query.ts';
import { settingsAccountTexts as t } from '../../texts/settings-account.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { Setting, SettingFooter } from '../setting.tsx';
import { CurrentPassword } from './current-password.tsx';

/** Asks for a mail to a new address; shown where the installation sends mail. */
export function ChangeEmail() {
  const methods = useQuery(signInMethodsQuery);
  const form = useForm({ initialValues: { email: '', currentPassword: '' } });
  const change = useMutation({
    mutationFn: (body: typeof form.values) => unwrap(api.POST('/auth/email', { body })),
    onSuccess: () => form.reset(),
  });
  if (methods.data?.password_reset !== 'mail') return null;
  return (
    <Setting id="change-email" title={t.email.change}>
      {change.isSuccess && (
        <Text role="status" mb="md">
          {t.email.sent(change.variables.email)}
        </Text>
      )}
      <Form onSubmit={form.onSubmit((values) => change.mutate(values))} error={change.error} form={form}>
        <Stack maw={420}>
          <TextInput
            label={t.email.new}
            type="email"
            autoComplete="email"
            required
            {...form.getInputProps('email')}
          />
          <CurrentPassword {...form.getInputProps('currentPassword')} />
        </Stack>
        <SettingFooter hint={t.email.hint}>
          <SubmitButton of={change}>{t.email.send}</SubmitButton>
        </SettingFooter>
      </Form>
    </Setting>
  );
}

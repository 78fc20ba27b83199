import { Box, Button, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { signInMethodsQuery } from '../../session/session-query.ts';
import { settingsAccountTexts as t } from '../../texts/settings-account.ts';
import { Form } from '../../ui/form.tsx';

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
    <section aria-labelledby="change-email">
      <Title order={2} size="h4" id="change-email" mb="xs">
        {t.email.change}
      </Title>
      <Box maw={420}>
        {change.isSuccess && (
          <Text role="status" mb="md">
            {t.email.sent(change.variables.email)}
          </Text>
        )}
        <Form onSubmit={form.onSubmit((values) => change.mutate(values))} error={change.error} form={form}>
          <TextInput
            label={t.email.new}
            description={t.email.hint}
            type="email"
            autoComplete="email"
            required
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t.yourPassword}
            autoComplete="current-password"
            required
            {...form.getInputProps('currentPassword')}
          />
          <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            {t.email.send}
          </Button>
        </Form>
      </Box>
    </section>
  );
}

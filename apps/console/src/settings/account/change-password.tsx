import { Anchor, Box, Button, PasswordInput, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';

/** Changes the password, or sets a first one for users of single sign-on. */
export function ChangePassword({ hasPassword }: { hasPassword: boolean }) {
  const t = settingsAccountTexts.password;
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
  const change = useMutation({
    mutationFn: ({ currentPassword, newPassword }: typeof form.values) => {
      const body = { newPassword, ...(hasPassword && { currentPassword }) };
      return unwrap(api.POST('/auth/password', { body }));
    },
    onSuccess: () => {
      form.reset();
      notifyDone(hasPassword ? t.changed : t.wasSet);
      void queryClient.invalidateQueries({ queryKey: queryKeys.session });
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessions });
    },
  });
  const title = hasPassword ? t.change : t.set;
  return (
    <section aria-labelledby="change-password">
      <Title order={2} size="h4" id="change-password" mb="xs">
        {title}
      </Title>
      <Box maw={420}>
        <Form onSubmit={form.onSubmit((values) => change.mutate(values))} error={change.error} form={form}>
          {hasPassword ? (
            <PasswordInput
              label={t.current}
              autoComplete="current-password"
              required
              {...form.getInputProps('currentPassword')}
            />
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
            description={t.newHint}
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
          <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            {title}
          </Button>
        </Form>
      </Box>
    </section>
  );
}

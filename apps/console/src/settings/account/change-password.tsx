import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Setting, SettingFooter } from '../setting.tsx';

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
    <Setting id="change-password" title={title}>
      <Form onSubmit={form.onSubmit((values) => change.mutate(values))} error={change.error} form={form}>
        <Stack maw={420}>
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
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
        </Stack>
        <SettingFooter hint={t.newHint}>
          <Button type="submit" loading={change.isPending}>
            {title}
          </Button>
        </SettingFooter>
      </Form>
    </Setting>
  );
}

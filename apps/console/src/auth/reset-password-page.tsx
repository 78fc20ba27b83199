import { PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { authTexts as t } from '../texts/auth.ts';
import { ChangeForm, SubmitButton } from '../ui/form.tsx';
import { TextLink } from '../ui/links.tsx';
import { Entrance } from './entrance.tsx';

/** The page of a mailed link. The token is in the fragment (#), which browsers do not send. */
export function ResetPasswordPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const form = useForm({ initialValues: { newPassword: '' } });
  const reset = useMutation({
    mutationFn: ({ newPassword }: typeof form.values) =>
      api.post('/auth/password/reset', { body: { token, newPassword } }),
  });
  return (
    <Entrance
      title={t.reset.title}
      below={
        <TextLink underline="always" to="/forgot-password">
          {t.reset.another}
        </TextLink>
      }
    >
      {reset.isSuccess ? (
        <Text role="status">
          {t.reset.done(
            <TextLink underline="always" to="/sign-in">
              {t.reset.signIn}
            </TextLink>,
          )}
        </Text>
      ) : (
        <ChangeForm form={form} change={reset} titles={{ NOT_FOUND: t.linkExpired }}>
          <PasswordInput
            label={t.reset.password}
            description={t.reset.hint}
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
          <SubmitButton of={reset}>{t.reset.act}</SubmitButton>
        </ChangeForm>
      )}
    </Entrance>
  );
}

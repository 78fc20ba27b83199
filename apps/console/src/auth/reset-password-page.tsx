import { Anchor, Button, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { Form } from '../ui/form.tsx';
import { Entrance } from './entrance.tsx';

/** The page of a mailed link. The token is in the fragment (#), which browsers do not send. */
export function ResetPasswordPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const form = useForm({ initialValues: { newPassword: '' } });
  const reset = useMutation({
    mutationFn: ({ newPassword }: typeof form.values) =>
      unwrap(api.POST('/auth/password/reset', { body: { token, newPassword } })),
  });
  return (
    <Entrance
      title="Choose a new password"
      below={
        <Anchor underline="always" renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
          Ask for another link
        </Anchor>
      }
    >
      {reset.isSuccess ? (
        <Text role="status">
          Your password is changed, and every session and passkey has ended.{' '}
          <Anchor underline="always" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
            Sign in
          </Anchor>{' '}
          with the new one.
        </Text>
      ) : (
        <Form
          onSubmit={form.onSubmit((values) => reset.mutate(values))}
          error={reset.error}
          titles={{ NOT_FOUND: 'This link is no longer valid' }}
          form={form}
        >
          <PasswordInput
            label="New password"
            description="At least 10 characters; ends all sessions, passkeys and calendar feeds"
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
          <Button type="submit" loading={reset.isPending}>
            Change password
          </Button>
        </Form>
      )}
    </Entrance>
  );
}

import { Anchor, Box, Button, PasswordInput, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';

/** Changes the password, or sets a first one for users of single sign-on. */
export function ChangePassword({ hasPassword }: { hasPassword: boolean }) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
  const change = useMutation({
    mutationFn: ({ currentPassword, newPassword }: typeof form.values) => {
      const body = { newPassword, ...(hasPassword && { currentPassword }) };
      return unwrap(api.POST('/auth/password', { body }));
    },
    onSuccess: () => {
      form.reset();
      notifyDone(
        `Your password is ${hasPassword ? 'changed' : 'set'}; every other session and your calendar feeds have ended.`,
      );
      void queryClient.invalidateQueries({ queryKey: queryKeys.session });
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessions });
    },
  });
  const title = hasPassword ? 'Change password' : 'Set a password';
  return (
    <section aria-labelledby="change-password">
      <Title order={2} size="h4" id="change-password" mb="xs">
        {title}
      </Title>
      <Box maw={420}>
        <Form onSubmit={form.onSubmit((values) => change.mutate(values))} error={change.error} form={form}>
          {hasPassword ? (
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              required
              {...form.getInputProps('currentPassword')}
            />
          ) : (
            <Text size="sm">
              You sign in with single sign-on. With a password, you can sign in without it. Set one within ten
              minutes of signing in; after that,{' '}
              <Anchor size="sm" underline="always" href="/v1/auth/oidc/start?returnTo=%2Faccount">
                sign in again
              </Anchor>{' '}
              first.
            </Text>
          )}
          <PasswordInput
            label="New password"
            description="At least 10 characters; ends all other sessions and your calendar feeds"
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

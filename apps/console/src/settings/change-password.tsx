import { Button, PasswordInput, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { fieldErrors } from '../api/problem.ts';
import { queryKeys } from '../api/query-keys.ts';
import { notifyDone } from '../ui/notify.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

export function ChangePassword() {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
  const change = useMutation({
    mutationFn: (body: Schemas['PasswordChange']) => unwrap(api.POST('/auth/password', { body })),
    onSuccess: () => {
      form.reset();
      notifyDone('Your password is changed; every other session has ended.');
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessions });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <section aria-labelledby="change-password">
      <Title order={2} size="h4" id="change-password" mb="xs">
        Change password
      </Title>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw={420}>
          {change.isError && <ProblemAlert error={change.error} />}
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label="New password"
            description="At least 10 characters; every other session ends"
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
          <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            Change password
          </Button>
        </Stack>
      </form>
    </section>
  );
}

import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { fieldErrors } from '../api/problem.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { Entrance } from './entrance.tsx';

import { useEnter } from './use-enter.ts';

const route = getRouteApi('/sign-up');

export function SignUpPage() {
  const { back } = route.useSearch();
  const enter = useEnter(back);
  const form = useForm({ initialValues: { name: '', email: '', password: '' } });
  const signUp = useMutation({
    mutationFn: (body: Schemas['SignUp']) => unwrap(api.POST('/auth/sign-up', { body })),
    onSuccess: enter,
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const below = (
    <>
      Already have an account?{' '}
      <Anchor
        underline="always"
        renderRoot={(props) => <Link to="/sign-in" search={back === undefined ? {} : { back }} {...props} />}
      >
        Sign in
      </Anchor>
    </>
  );
  return (
    <Entrance title="Create your account" below={below}>
      <form onSubmit={form.onSubmit((values) => signUp.mutate(values))}>
        <Stack>
          {signUp.isError && <ProblemAlert error={signUp.error} />}
          <TextInput label="Your name" autoComplete="name" required {...form.getInputProps('name')} />
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            description="At least 10 characters; a few unrelated words are good"
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signUp.isPending}>
            Create account
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}

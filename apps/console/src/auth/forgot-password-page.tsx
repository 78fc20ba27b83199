import { Anchor, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { signInMethodsQuery } from '../session/session-query.ts';
import { Form } from '../ui/form.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { Entrance } from './entrance.tsx';

export function ForgotPasswordPage() {
  const methods = useQuery(signInMethodsQuery);
  return (
    <Entrance
      title="Forgot password"
      below={
        <Anchor underline="always" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          Sign in
        </Anchor>
      }
    >
      {methods.isPending && <Loading />}
      {methods.isError && <ProblemAlert error={methods.error} retry={() => void methods.refetch()} />}
      {methods.data?.password_reset === 'mail' && <LinkRequest />}
      {methods.data?.password_reset === 'operator' && (
        <Stack gap="sm">
          <Text>
            This installation sends no e-mail. Ask its operator for a new password. The operator&rsquo;s
            command:
          </Text>
          <Code block>waymark admin recover-password &lt;email&gt;</Code>
        </Stack>
      )}
    </Entrance>
  );
}

function LinkRequest() {
  const form = useForm({ initialValues: { email: '' } });
  const request = useMutation({
    mutationFn: (body: { email: string }) => unwrap(api.POST('/auth/password/forgot', { body })),
  });
  if (request.isSuccess) {
    return (
      <Text role="status">
        If {request.variables.email} has an account here, a mail with a link is on its way. The link works
        once, within 30 minutes.
      </Text>
    );
  }
  return (
    <Form onSubmit={form.onSubmit((values) => request.mutate(values))} error={request.error} form={form}>
      <TextInput
        label="Email"
        description="We send a link with which you choose a new password"
        type="email"
        autoComplete="username"
        required
        {...form.getInputProps('email')}
      />
      <Button type="submit" loading={request.isPending}>
        Send the link
      </Button>
    </Form>
  );
}

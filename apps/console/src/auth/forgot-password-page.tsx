import { Anchor, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { signInMethodsQuery } from '../session/session-query.ts';
import { authTexts as t } from '../texts/auth.ts';
import { sessionTexts } from '../texts/session.ts';
import { Form } from '../ui/form.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { Entrance } from './entrance.tsx';

export function ForgotPasswordPage() {
  const methods = useQuery(signInMethodsQuery);
  return (
    <Entrance
      title={t.forgot.title}
      below={
        <Anchor underline="always" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {sessionTexts.signIn}
        </Anchor>
      }
    >
      {methods.isPending && <Loading />}
      {methods.isError && <ProblemAlert error={methods.error} retry={() => void methods.refetch()} />}
      {methods.data?.password_reset === 'mail' && <LinkRequest />}
      {methods.data?.password_reset === 'operator' && (
        <Stack gap="sm">
          <Text>{t.forgot.operator}</Text>
          <Code block>{'waymark admin recover-password <email>'}</Code>
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
    return <Text role="status">{t.forgot.sent(request.variables.email)}</Text>;
  }
  return (
    <Form onSubmit={form.onSubmit((values) => request.mutate(values))} error={request.error} form={form}>
      <TextInput
        label={sessionTexts.email}
        description={t.forgot.hint}
        type="email"
        autoComplete="username"
        required
        {...form.getInputProps('email')}
      />
      <Button type="submit" loading={request.isPending}>
        {t.forgot.act}
      </Button>
    </Form>
  );
}

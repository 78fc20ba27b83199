import { Code, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { signInMethodsQuery } from '../session/session-query.ts';
import { authTexts as t } from '../texts/auth.ts';
import { sessionTexts } from '../texts/session.ts';
import { ChangeForm, SubmitButton } from '../ui/form.tsx';
import { TextLink } from '../ui/links.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Entrance } from './entrance.tsx';

export function ForgotPasswordPage() {
  const methods = useQuery(signInMethodsQuery);
  return (
    <Entrance
      title={t.forgot.title}
      below={
        <TextLink underline="always" to="/sign-in">
          {sessionTexts.signIn}
        </TextLink>
      }
    >
      <QueryState query={methods} />
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
    mutationFn: (body: { email: string }) => api.post('/auth/password/forgot', { body }),
  });
  if (request.isSuccess) {
    return <Text role="status">{t.forgot.sent(request.variables.email)}</Text>;
  }
  return (
    <ChangeForm form={form} change={request}>
      <TextInput
        label={sessionTexts.email}
        description={t.forgot.hint}
        type="email"
        autoComplete="username"
        required
        {...form.getInputProps('email')}
      />
      <SubmitButton of={request}>{t.forgot.act}</SubmitButton>
    </ChangeForm>
  );
}

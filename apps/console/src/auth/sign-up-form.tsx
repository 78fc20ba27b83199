import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../api/client.ts';
import { CredentialsFields } from '../session/credentials-fields.tsx';
import type { SignedIn } from '../session/session-query.ts';
import { authTexts as t } from '../texts/auth.ts';
import { Form, SubmitButton } from '../ui/form.tsx';

/** Creates an account; with an invitation's token, the account joins its workspace. */
export function SignUpForm(props: {
  email?: string;
  invitation?: string;
  onSignedUp: (signedIn: SignedIn) => void;
}) {
  const { email = '', invitation, onSignedUp } = props;
  const form = useForm({ initialValues: { name: '', email, password: '' } });
  const signUp = useMutation({
    mutationFn: (body: Schemas['SignUp']) => unwrap(api.POST('/auth/sign-up', { body })),
    onSuccess: onSignedUp,
  });
  return (
    <Form
      onSubmit={form.onSubmit((values) => signUp.mutate({ ...values, ...(invitation && { invitation }) }))}
      error={signUp.error}
      titles={{ CONFLICT: t.emailTaken }}
      form={form}
    >
      <TextInput label={t.signUp.name} autoComplete="name" required {...form.getInputProps('name')} />
      <CredentialsFields form={form} isNew />
      <SubmitButton of={signUp}>{t.signUp.act}</SubmitButton>
    </Form>
  );
}

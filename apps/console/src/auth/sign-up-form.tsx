import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { CredentialsFields } from '../session/credentials-fields.tsx';
import type { SignedIn } from '../session/session-query.ts';
import { authTexts as t } from '../texts/auth.ts';
import { ChangeForm, SubmitButton } from '../ui/form.tsx';

/** Creates an account; with an invitation's token, the account joins its workspace. */
export function SignUpForm(props: {
  email?: string;
  invitation?: string;
  onSignedUp: (signedIn: SignedIn) => void;
}) {
  const { email = '', invitation, onSignedUp } = props;
  const form = useForm({ initialValues: { name: '', email, password: '' } });
  const signUp = useMutation({
    mutationFn: (values: typeof form.values) =>
      api.post('/auth/sign-up', { body: { ...values, ...(invitation && { invitation }) } }),
    onSuccess: onSignedUp,
  });
  return (
    <ChangeForm form={form} change={signUp} titles={{ CONFLICT: t.emailTaken }}>
      <TextInput label={t.signUp.name} autoComplete="name" required {...form.getInputProps('name')} />
      <CredentialsFields form={form} isNew />
      <SubmitButton of={signUp}>{t.signUp.act}</SubmitButton>
    </ChangeForm>
  );
}

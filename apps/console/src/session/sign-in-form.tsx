import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { sessionTexts as t } from '../texts/session.ts';
import { Form } from '../ui/form.tsx';
import { CredentialsFields } from './credentials-fields.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import type { SignedIn } from './session-query.ts';

/** The sign-in form. A wrong password is shown in it; it does not mean that a session has expired. */
export function SignInForm(props: { email?: string; onSignedIn: (signedIn: SignedIn) => void }) {
  const form = useForm({ initialValues: { email: props.email ?? '', password: '' } });
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => unwrap(api.POST('/auth/sign-in', { body })),
    onSuccess: props.onSignedIn,
  });
  return (
    <>
      <Form
        onSubmit={form.onSubmit((values) => signIn.mutate(values))}
        error={signIn.error}
        titles={{ UNAUTHORIZED: t.signInFailed }}
        form={form}
      >
        <CredentialsFields form={form} />
        <Button type="submit" loading={signIn.isPending}>
          {t.signIn}
        </Button>
      </Form>
      <PasskeySignIn onSignedIn={props.onSignedIn} />
    </>
  );
}

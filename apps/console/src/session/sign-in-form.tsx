import { TextInput, type TextInputProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, hasCode } from '../api/client.ts';
import { sessionTexts as t } from '../texts/session.ts';
import { ChangeForm, SubmitButton } from '../ui/form.tsx';
import { CredentialsFields } from './credentials-fields.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import type { SignedIn } from './session-query.ts';

/** The sign-in form. A wrong password is shown in it; it does not mean that a session has expired. */
export function SignInForm(props: { email?: string; onSignedIn: (signedIn: SignedIn) => void }) {
  const form = useForm({ initialValues: { email: props.email ?? '', password: '', code: '' } });
  const [isCodeAsked, setCodeAsked] = useState(false);
  const signIn = useMutation({
    async mutationFn({ code, ...body }: typeof form.values): Promise<SignedIn | null> {
      try {
        return await api.post('/auth/sign-in', { body: { ...body, ...(code !== '' && { code }) } });
      } catch (error) {
        const isNextStep = hasCode(error, 'SECOND_FACTOR_REQUIRED');
        if (isNextStep && code === '') return null;
        throw error;
      }
    },
    onSuccess: (signedIn) => (signedIn ? props.onSignedIn(signedIn) : setCodeAsked(true)),
  });
  return (
    <>
      <ChangeForm
        form={form}
        change={signIn}
        titles={{ UNAUTHORIZED: t.signInFailed, SECOND_FACTOR_REQUIRED: t.code.refused }}
      >
        <CredentialsFields form={form} isKnown={props.email !== undefined} />
        {isCodeAsked && <CodeField {...form.getInputProps('code')} />}
        <SubmitButton of={signIn}>{t.signIn}</SubmitButton>
      </ChangeForm>
      <PasskeySignIn onSignedIn={props.onSignedIn} />
    </>
  );
}

/** Appears once the password was right, and is focused then. */
function CodeField(props: TextInputProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <TextInput
      ref={field}
      label={t.code.label}
      description={t.code.hint}
      autoComplete="one-time-code"
      required
      {...props}
    />
  );
}

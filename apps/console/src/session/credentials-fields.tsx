import { PasswordInput, TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';
import { sessionTexts as t } from '../texts/session.ts';

interface Credentials {
  email: string;
  password: string;
}

/** Fields for e-mail and password, recognised by browsers and password managers. */
export function CredentialsFields(props: {
  form: { getInputProps: ReturnType<typeof useForm<Credentials>>['getInputProps'] };
  /** Whether the user chooses a new password. */
  isNew?: boolean;
  /** The address is filled in, so the password has the focus of a dialog. */
  isKnown?: boolean;
}) {
  const { form, isNew = false, isKnown = false } = props;
  return (
    <>
      <TextInput
        label={t.email}
        type="email"
        autoComplete="username"
        required
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={t.password}
        description={isNew && t.passwordHint}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        {...(isKnown && { 'data-autofocus': true })}
        {...form.getInputProps('password')}
      />
    </>
  );
}

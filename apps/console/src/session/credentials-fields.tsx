import { PasswordInput, TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';

interface Credentials {
  email: string;
  password: string;
}

/** The fields for an email and a password, as browsers and their password stores know them. */
export function CredentialsFields(props: {
  form: { getInputProps: ReturnType<typeof useForm<Credentials>>['getInputProps'] };
  /** The password is chosen here, in place of one that is known. */
  isNew?: boolean;
}) {
  const { form, isNew = false } = props;
  return (
    <>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Password"
        description={isNew && 'At least 10 characters; a few unrelated words are good'}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        {...form.getInputProps('password')}
      />
    </>
  );
}

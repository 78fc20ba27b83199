import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { settingsAccountTexts as t } from '../../texts/settings-account.ts';

/** The password that confirms a change of the account. */
export function CurrentPassword(props: PasswordInputProps) {
  return <PasswordInput label={t.yourPassword} autoComplete="current-password" required {...props} />;
}

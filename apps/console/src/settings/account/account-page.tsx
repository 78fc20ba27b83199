import { Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../session/session-query.ts';
import { settingsAccountTexts as t } from '../../texts/settings-account.ts';
import { Page } from '../../ui/page.tsx';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { ChangeEmail } from './change-email.tsx';
import { ChangeLanguage } from './change-language.tsx';
import { ChangeName } from './change-name.tsx';
import { ChangePassword } from './change-password.tsx';
import { Grants } from './grants.tsx';
import { MailSettings } from './mail-settings.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

export function AccountPage() {
  const { data } = useSuspenseQuery(sessionQuery);
  return (
    <Page title={t.title}>
      <Text mb="xl">
        {data.user.name}, {data.user.email}
      </Text>
      <Stack gap="xl">
        <ChangeName name={data.user.name} />
        <ChangeLanguage ofMails={data.user.language} />
        <MailSettings />
        <Sessions />
        <Grants />
        <AuthenticatorApp hasPassword={data.has_password} />
        <Passkeys hasPassword={data.has_password} />
        {data.has_password && <ChangeEmail />}
        <ChangePassword hasPassword={data.has_password} />
      </Stack>
    </Page>
  );
}

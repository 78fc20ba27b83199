import { Anchor, NativeSelect, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { sessionQuery, showUser } from '../../session/session-query.ts';
import { useLanguage } from '../../session/use-language.ts';
import { type Language, language } from '../../texts/language.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { languageOptions } from '../../ui/language-select.tsx';
import { Page } from '../../ui/page.tsx';
import { useChange } from '../../ui/use-change.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { accountQuery } from './account-query.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { CurrentPassword } from './current-password.tsx';
import { MailSettings } from './mail-settings.tsx';
import { Passkeys } from './passkeys.tsx';
import { Grants, Sessions } from './sessions.tsx';
import { Subscriptions } from './subscriptions.tsx';

export function AccountPage() {
  const { user, has_password: hasPassword } = useSuspenseQuery(sessionQuery).data;
  const methods = useQuery(accountQuery).data?.sign_in_methods;
  return (
    <Page title={settingsAccountTexts.title}>
      <Text>
        {user.name}, {user.email}
      </Text>
      {user.mail_refused_at && (
        <Text size="sm" c="red">
          {settingsAccountTexts.mailRefused}
        </Text>
      )}
      <Stack gap="xl" mt="xl">
        <ChangeName name={user.name} />
        <ChangeLanguage ofMails={user.language} />
        <MailSettings />
        <Subscriptions />
        <Sessions />
        <Grants />
        <AuthenticatorApp hasPassword={hasPassword} />
        {methods?.passkeys !== false && <Passkeys hasPassword={hasPassword} />}
        <ChangePassword hasPassword={hasPassword} />
        {hasPassword && methods?.password_reset === 'mail' && <ChangeEmail />}
      </Stack>
    </Page>
  );
}

function ChangeName({ name }: { name: string }) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name } });
  const rename = useChange({
    mutationFn: (body: typeof form.values) => api.patch('/auth/me', { body }),
    changes: [queryKeys.everyWorkspace],
    isAtOnce: true,
    done: (user) => settingsAccountTexts.name.changed(user.name),
    onSuccess: (user) => showUser(queryClient, user),
  });
  return (
    <Setting id="change-name" title={ui.name}>
      <ChangeForm form={form} change={rename}>
        <TextInput
          aria-label={ui.name}
          autoComplete="name"
          required
          maw={420}
          {...form.getInputProps('name')}
        />
        <SettingFooter hint={settingsAccountTexts.name.hint}>
          <SubmitButton of={rename} disabled={form.values.name === name}>
            {settingsAccountTexts.name.change}
          </SubmitButton>
        </SettingFooter>
      </ChangeForm>
    </Setting>
  );
}

/** The languages of the console and of mails. */
function ChangeLanguage({ ofMails }: { ofMails: Language }) {
  const t = settingsAccountTexts.language;
  const changeLanguage = useLanguage();
  const select = (ofConsole: boolean) => (
    <NativeSelect
      label={ofConsole ? t.everywhere : t.mails}
      data={languageOptions}
      value={ofConsole ? language : ofMails}
      disabled={changeLanguage.isPending}
      onChange={(event) => changeLanguage.mutate({ code: event.currentTarget.value as Language, ofConsole })}
    />
  );
  return (
    <Setting id="change-language" title={ui.language}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {select(true)}
        {select(false)}
      </SimpleGrid>
      <SettingFooter hint={t.hint} />
    </Setting>
  );
}

/** Asks for a mail to a new address. */
function ChangeEmail() {
  const form = useForm({ initialValues: { email: '', currentPassword: '' } });
  const changeEmail = useMutation({
    mutationFn: (body: typeof form.values) => api.post('/auth/email', { body }),
    onSuccess: () => form.reset(),
  });
  return (
    <Setting id="change-email" title={settingsAccountTexts.email.change}>
      {changeEmail.isSuccess && (
        <Text role="status" mb="md">
          {settingsAccountTexts.email.sent(changeEmail.variables.email)}
        </Text>
      )}
      <ChangeForm form={form} change={changeEmail}>
        <Stack maw={420}>
          <TextInput
            label={settingsAccountTexts.email.new}
            type="email"
            autoComplete="email"
            required
            {...form.getInputProps('email')}
          />
          <CurrentPassword {...form.getInputProps('currentPassword')} />
        </Stack>
        <SettingFooter hint={settingsAccountTexts.email.hint}>
          <SubmitButton variant="default" of={changeEmail}>
            {settingsAccountTexts.email.send}
          </SubmitButton>
        </SettingFooter>
      </ChangeForm>
    </Setting>
  );
}

/** Changes the password, or sets a first one for users of single sign-on. */
function ChangePassword({ hasPassword }: { hasPassword: boolean }) {
  const t = settingsAccountTexts.password;
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
  const changePassword = useChange({
    mutationFn: ({ currentPassword, newPassword }: typeof form.values) => {
      const body = { newPassword, ...(hasPassword && { currentPassword }) };
      return api.post('/auth/password', { body });
    },
    changes: [queryKeys.session, queryKeys.account],
    done: hasPassword ? t.changed : t.wasSet,
    onSuccess: () => form.reset(),
  });
  const title = hasPassword ? t.change : t.set;
  return (
    <Setting id="change-password" title={title}>
      <ChangeForm form={form} change={changePassword}>
        <Stack maw={420}>
          {hasPassword ? (
            <CurrentPassword label={t.current} {...form.getInputProps('currentPassword')} />
          ) : (
            <Text size="sm">
              {t.singleSignOn(
                <Anchor size="sm" href="/v1/auth/oidc/start?returnTo=%2Faccount">
                  {t.signInAgain}
                </Anchor>,
              )}
            </Text>
          )}
          <PasswordInput
            label={t.new}
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
        </Stack>
        <SettingFooter hint={t.newHint}>
          <SubmitButton variant="default" of={changePassword}>
            {title}
          </SubmitButton>
        </SettingFooter>
      </ChangeForm>
    </Setting>
  );
}

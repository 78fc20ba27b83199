import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { FocusedPart } from '../../ui/dialog/early-typing.tsx';
import { Form } from '../../ui/form.tsx';
import { lazyPart } from '../../ui/lazy-page.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useChange } from '../../ui/use-change.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { accountQuery } from './account-query.ts';
import { CurrentPassword } from './current-password.tsx';

const SetUpDialog = lazyPart(() => import('./set-up-dialog.tsx'));

/** The content of the dialog: a set-up that waits for a code, or new recovery codes. */
export type SetUp = { enrolment: Schemas['TotpEnrolment'] } | { codes: string[] };
type Act = 'add' | 'renew' | 'remove';

/** The user's authenticator app. Its codes complete the password, so only users with a password have one. */
export function AuthenticatorApp({ hasPassword }: { hasPassword: boolean }) {
  const t = settingsAccountTexts.app;
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const account = useQuery(accountQuery);
  return (
    <Setting id="authenticator-app" title={t.title}>
      {!hasPassword && <SettingFooter hint={t.noPassword} />}
      {hasPassword && (
        <QueryState query={account}>
          {({ totp }) => (
            <Stack gap="sm">
              {totp.added_at && (
                <Text size="sm">
                  {t.added(<Moment at={totp.added_at} />)} {t.left(totp.recovery_codes_left)}
                </Text>
              )}
              <Change isAdded={totp.added_at !== null} onSetUp={setSetUp} />
            </Stack>
          )}
        </QueryState>
      )}
      {setUp && (
        <FocusedPart onClose={() => setSetUp(null)}>
          <SetUpDialog setUp={setUp} onClose={() => setSetUp(null)} />
        </FocusedPart>
      )}
    </Setting>
  );
}

/** The password, and the button that uses it. */
function Change({ isAdded, onSetUp }: { isAdded: boolean; onSetUp: (setUp: SetUp) => void }) {
  const t = settingsAccountTexts.app;
  const form = useForm({ initialValues: { currentPassword: '' } });
  const change = useChange({
    changes: [queryKeys.session, queryKeys.account],
    async mutationFn({ act, body }: { act: Act; body: { currentPassword: string } }) {
      if (act === 'add') return { enrolment: await api.post('/auth/totp/options', { body }) };
      if (act === 'remove') return api.post('/auth/totp/remove', { body }).then(() => null);
      const renewed = await api.post('/auth/totp/recovery-codes', { body });
      return { codes: renewed.recovery_codes };
    },
    onSuccess: (setUp) => {
      form.reset();
      if (setUp) onSetUp(setUp);
      else notifyDone(t.removed);
    },
  });
  const submit = (act: Act) => form.onSubmit((body) => change.mutate({ act, body }));
  const isPending = (act: Act) => change.isPending && change.variables.act === act;
  // Recovery codes are shown once.
  useUnsaved(isPending('renew'));
  return (
    <Form label={t.title} onSubmit={submit(isAdded ? 'renew' : 'add')} error={change.error} form={form}>
      <CurrentPassword maw={420} {...form.getInputProps('currentPassword')} />
      <SettingFooter hint={isAdded ? t.removeHint : t.hint}>
        <Group gap="xs">
          {isAdded && (
            <Button
              variant="default"
              color="red"
              loading={isPending('remove')}
              onClick={() => submit('remove')()}
            >
              {t.remove}
            </Button>
          )}
          <Button type="submit" variant="default" loading={isPending(isAdded ? 'renew' : 'add')}>
            {isAdded ? t.renew : t.add}
          </Button>
        </Group>
      </SettingFooter>
    </Form>
  );
}

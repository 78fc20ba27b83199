import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { cliLoginTexts as t } from '../../texts/cli-login.ts';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { KeyConsent, type KeyGiven } from './key-consent.tsx';

/** Creates a key for a command line elsewhere, whose code the person types (RFC 8628). */
export function DevicePage() {
  const form = useForm({ initialValues: { userCode: '' } });
  const find = useMutation({
    mutationFn: (body: typeof form.values) => api.post('/auth/device', { body }),
  });
  return (
    <Page title={t.title} maxWidth={560}>
      {find.data ? (
        <Confirmation {...form.values} login={find.data} />
      ) : (
        <ChangeForm form={form} change={find} titles={{ NOT_FOUND: t.unknownCode }}>
          <Text>{t.begun}</Text>
          <TextInput
            label={t.code}
            placeholder="WDJB-MJHT"
            autoComplete="off"
            spellCheck={false}
            required
            {...form.getInputProps('userCode')}
          />
          <SubmitButton of={find}>{t.next}</SubmitButton>
        </ChangeForm>
      )}
    </Page>
  );
}

function Confirmation({ userCode, login }: { userCode: string; login: Schemas['DeviceLogin'] }) {
  const create = useMutation({
    mutationFn: (given: KeyGiven) => api.post('/auth/device/allow', { body: { ...given, userCode } }),
  });
  const decline = useMutation({
    mutationFn: () => api.post('/auth/device/decline', { body: { userCode } }),
  });
  if (create.isSuccess) return <Text role="status">{t.allowed}</Text>;
  if (decline.isSuccess) return <Text role="status">{t.declined}</Text>;
  const { name, ip, scopes, created_at } = login;
  return (
    <KeyConsent
      scope={scopes.includes('write') ? 'write' : 'read'}
      create={{ ...create, error: create.error ?? decline.error }}
      onDecline={() => decline.mutate()}
    >
      <Text>
        <bdi>{t.asks(name)}</bdi>
      </Text>
      <Text>
        {t.askedFrom(ip)} <Moment at={created_at} />
      </Text>
      <Text fw={600}>{t.ownOnly}</Text>
    </KeyConsent>
  );
}

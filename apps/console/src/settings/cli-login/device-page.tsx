import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client.ts';
import { cliLoginTexts as t } from '../../texts/cli-login.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { KeyConsent, type KeyGiven } from './key-consent.tsx';

/** Creates a key for a command line elsewhere, whose code the person types (RFC 8628). */
export function DevicePage() {
  const [userCode, setUserCode] = useState('');
  const find = useMutation({
    mutationFn: () => unwrap(api.POST('/auth/device', { body: { userCode } })),
  });
  return (
    <Page title={t.title} maxWidth={560}>
      {find.data ? (
        <Confirmation userCode={userCode} login={find.data} />
      ) : (
        <Form error={find.error} titles={{ NOT_FOUND: t.unknownCode }} onSubmit={() => find.mutate()}>
          <Text>{t.begun}</Text>
          <TextInput
            label={t.code}
            value={userCode}
            onChange={(event) => setUserCode(event.currentTarget.value)}
            placeholder="WDJB-MJHT"
            autoComplete="off"
            spellCheck={false}
            required
          />
          <SubmitButton of={find}>{t.next}</SubmitButton>
        </Form>
      )}
    </Page>
  );
}

function Confirmation({ userCode, login }: { userCode: string; login: Schemas['DeviceLogin'] }) {
  const create = useMutation({
    mutationFn: (given: KeyGiven) => unwrap(api.POST('/auth/device/allow', { body: { ...given, userCode } })),
  });
  const decline = useMutation({
    mutationFn: () => unwrap(api.POST('/auth/device/decline', { body: { userCode } })),
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

import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useChange } from '../../ui/use-change.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { accountQuery, notificationSettings } from './account-query.ts';

type Settings = Schemas['MailSettings'];
type Kind = Settings['daily'][number];
const kinds = Object.keys(settingsAccountTexts.mail.kinds) as Kind[];
type When = keyof typeof settingsAccountTexts.mail.when;

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Of which notifications the user gets mail, where the installation sends any. */
export function MailSettings() {
  const t = settingsAccountTexts.mail;
  const settings = useQuery(notificationSettings);
  return (
    <Setting id="mail-settings" title={t.title}>
      <QueryState query={useQuery(accountQuery)}>
        {({ sign_in_methods }) =>
          sign_in_methods.password_reset === 'mail' ? (
            <QueryState query={settings}>{({ mail }) => <Choices settings={mail} />}</QueryState>
          ) : (
            <SettingFooter hint={t.none} />
          )
        }
      </QueryState>
    </Setting>
  );
}

function Choices({ settings }: { settings: Settings }) {
  const t = settingsAccountTexts.mail;
  const [timeZone, setTimeZone] = useState(settings.time_zone ?? ownZone());
  const [chosen, setChosen] = useState(() => whenOf(settings));
  const kindsOf = (when: When) => kinds.filter((kind) => chosen[kind] === when);
  const change = useChange({
    mutationFn: () => {
      const body = { timeZone, atOnce: kindsOf('atOnce'), daily: kindsOf('daily') };
      return api.put('/notifications/mail-settings', { body });
    },
    changes: [notificationSettings.queryKey],
    done: t.changed,
  });
  const zones = [...new Set([timeZone, ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Form onSubmit={() => change.mutate()} error={change.error}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {kinds.map((kind) => (
          <NativeSelect
            key={kind}
            label={t.kinds[kind]}
            value={chosen[kind]}
            data={Object.entries(t.when).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget }) => setChosen({ ...chosen, [kind]: currentTarget.value as When })}
          />
        ))}
        <NativeSelect
          label={t.timeZone}
          value={timeZone}
          data={zones.toSorted()}
          onChange={({ currentTarget }) => setTimeZone(currentTarget.value)}
        />
      </SimpleGrid>
      <SettingFooter hint={t.hint}>
        <SubmitButton of={change}>{t.change}</SubmitButton>
      </SettingFooter>
    </Form>
  );
}

function whenOf({ at_once, daily }: Settings): Record<Kind, When> {
  const of = (kind: Kind): When => {
    if (at_once.includes(kind)) return 'atOnce';
    return daily.includes(kind) ? 'daily' : 'never';
  };
  return Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as Record<Kind, When>;
}

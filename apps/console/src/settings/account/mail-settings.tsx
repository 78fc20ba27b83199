import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useChange } from '../../ui/use-change.ts';
import { Setting, SettingFooter } from '../setting.tsx';

type Settings = Schemas['MailSettings'];
type Kind = Settings['daily'][number];
const kinds = Object.keys(settingsAccountTexts.mail.kinds) as Kind[];
type When = keyof typeof settingsAccountTexts.mail.when;

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Of which notifications the user gets mail, where the installation sends any. */
export function MailSettings({ isSent }: { isSent: boolean }) {
  const t = settingsAccountTexts.mail;
  const settings = useQuery({
    queryKey: queryKeys.mailSettings,
    changesWith: [],
    queryFn: () => api.get('/notifications/mail-settings'),
    enabled: isSent,
  });
  return (
    <Setting id="mail-settings" title={t.title}>
      {isSent && <QueryState query={settings} />}
      {isSent && settings.data && <Choices settings={settings.data} />}
      {!isSent && <SettingFooter hint={t.none} />}
    </Setting>
  );
}

function Choices({ settings }: { settings: Settings }) {
  const t = settingsAccountTexts.mail;
  const queryClient = useQueryClient();
  const [timeZone, setTimeZone] = useState(settings.time_zone ?? ownZone());
  const [chosen, setChosen] = useState(() => whenOf(settings));
  const kindsOf = (when: When) => kinds.filter((kind) => chosen[kind] === when);
  const change = useChange({
    mutationFn: () => {
      const body = { timeZone, atOnce: kindsOf('atOnce'), daily: kindsOf('daily') };
      return api.put('/notifications/mail-settings', { body });
    },
    changes: [],
    done: t.changed,
    onSuccess: (changed) => queryClient.setQueryData(queryKeys.mailSettings, changed),
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

import { Button, Code, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { encode } from 'uqr';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { SecretOnce } from '../../ui/dialog/secret-once.tsx';
import { saveFile } from '../../ui/download/download-file.ts';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { useChange } from '../../ui/use-change.ts';
import type { SetUp } from './authenticator-app.tsx';

const t = settingsAccountTexts.app;
const groups = (secret: string) => secret.replace(/.{4}(?=.)/g, '$& ');

/** Sets up an app with its first code, then shows the recovery codes, which nothing shows again. */
export default function SetUpDialog({ setUp, onClose }: { setUp: SetUp; onClose: () => void }) {
  const add = useChange({
    mutationFn: (body: { enrolment: string; code: string }) => api.post('/auth/totp', { body }),
    changes: [queryKeys.session, queryKeys.account],
    isAtOnce: true,
  });
  const codes = 'codes' in setUp ? setUp.codes : add.data?.recovery_codes;
  return (
    <Dialog
      title={codes ? t.codes : t.setUp}
      onClose={onClose}
      isBusy={add.isPending}
      {...(codes && { leave: ui.secret.leave })}
    >
      {codes && <RecoveryCodes codes={codes} onDone={onClose} />}
      {!codes && 'enrolment' in setUp && <FirstCode enrolment={setUp.enrolment} add={add} />}
    </Dialog>
  );
}

function FirstCode(props: {
  enrolment: Schemas['TotpEnrolment'];
  add: { error: unknown; isPending: boolean; mutate: (body: { enrolment: string; code: string }) => void };
}) {
  const {
    enrolment: { secret, uri, enrolment },
    add,
  } = props;
  const form = useForm({ initialValues: { code: '', enrolment } });
  return (
    <ChangeForm form={form} change={add}>
      <List type="ordered" size="sm" spacing="sm">
        <List.Item>{t.scan}</List.Item>
        <List.Item>{t.confirm}</List.Item>
      </List>
      <QrCode text={uri} label={t.qrCode} />
      <Stack gap={4}>
        <Text size="sm">{t.type}</Text>
        <Code block aria-label={t.secret}>
          {groups(secret)}
        </Code>
      </Stack>
      <TextInput label={t.code} autoComplete="one-time-code" required {...form.getInputProps('code')} />
      <Group justify="flex-end">
        <SubmitButton of={add}>{t.add}</SubmitButton>
      </Group>
    </ChangeForm>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <Stack>
      <SecretOnce label={t.codes} secret={text} note={t.codesHint} onDone={onDone} />
      <Button
        variant="default"
        onClick={() => saveFile({ name: 'waymark-recovery-codes.txt', blob: new Blob([`${text}\n`]) })}
      >
        {t.download}
      </Button>
    </Stack>
  );
}

/** Dark on light in every colour scheme: cameras need it so. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={200} height={200}>
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" shapeRendering="crispEdges" />
    </svg>
  );
}

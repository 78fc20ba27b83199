import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { apiKeysTexts as t } from '../../texts/api-keys.ts';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { firstCall } from '../../ui/snippet/first-call.ts';
import { useChange } from '../../ui/use-change.ts';

/** Rotates a key; the old one continues to work for a chosen time. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: Schemas['ApiKey']; onClose: () => void }) {
  const form = useForm({ initialValues: { overlap: '86400' } });
  const rotate = useChange({
    mutationFn: ({ overlap }: typeof form.values) =>
      api.post('/api-keys/{id}/rotate', { id: apiKey.id, body: { overlapSeconds: Number(overlap) } }),
    changes: [queryKeys.apiKeys(apiKey.workspace_id)],
    isAtOnce: true,
  });
  const key = rotate.data?.key;
  return (
    <SecretDialog
      size="lg"
      onClose={onClose}
      title={t.rotate.of(apiKey.name)}
      label={t.key}
      snippet={{
        title: t.firstCall,
        guide: '/docs/quickstart',
        of: (secret) => firstCall(window.location.origin, apiKey.workspace_id, secret),
      }}
      note={t.rotate.note}
      secret={key}
      isPending={rotate.isPending}
    >
      <ChangeForm form={form} change={rotate}>
        <Text size="sm">{t.rotate.hint}</Text>
        <NativeSelect
          label={t.rotate.overlap}
          data={Object.entries(t.rotate.overlaps).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('overlap')}
        />
        <SubmitButton of={rotate}>{t.rotate.act}</SubmitButton>
      </ChangeForm>
    </SecretDialog>
  );
}

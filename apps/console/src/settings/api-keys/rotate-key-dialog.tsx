import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { apiKeysTexts as t } from '../../texts/api-keys.ts';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { firstCall } from '../../ui/snippet/first-call.ts';
import { useChange } from '../../ui/use-change.ts';

/** Rotates a key; the old one continues to work for a chosen time. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: Schemas['ApiKey']; onClose: () => void }) {
  const [overlap, setOverlap] = useState('86400');
  const rotate = useChange({
    mutationFn: (overlapSeconds: number) =>
      unwrap(
        api.POST('/api-keys/{id}/rotate', { params: { path: { id: apiKey.id } }, body: { overlapSeconds } }),
      ),
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
      <Form onSubmit={() => rotate.mutate(Number(overlap))} error={rotate.error}>
        <Text size="sm">{t.rotate.hint}</Text>
        <NativeSelect
          label={t.rotate.overlap}
          data={Object.entries(t.rotate.overlaps).map(([value, label]) => ({ value, label }))}
          value={overlap}
          onChange={(event) => setOverlap(event.currentTarget.value)}
        />
        <SubmitButton of={rotate}>{t.rotate.act}</SubmitButton>
      </Form>
    </SecretDialog>
  );
}

import { Button, NativeSelect, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { firstCall } from '../../ui/snippet/first-call.ts';

const OVERLAPS = [
  { value: '0', label: 'It stops working at once' },
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'A week' },
];

/** Rotates a key; the old one continues to work for a chosen time. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: Schemas['ApiKey']; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: (overlapSeconds: number) =>
      unwrap(
        api.POST('/api-keys/{id}/rotate', { params: { path: { id: apiKey.id } }, body: { overlapSeconds } }),
      ),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys(apiKey.workspace_id) });
    },
  });
  const key = rotate.data?.key;
  return (
    <SecretDialog
      size="lg"
      onClose={onClose}
      title={`Rotate ${apiKey.name}`}
      label="API key"
      snippet={{
        title: 'Make the first call',
        of: (secret) => firstCall(window.location.origin, apiKey.workspace_id, secret),
      }}
      note="Replace the old key with this one. The old key stops working at the end of the overlap."
      secret={key}
      isPending={rotate.isPending}
    >
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          rotate.mutate(Number(overlap));
        }}
        error={rotate.error}
      >
        <Text size="sm">A new key with the same rights replaces it.</Text>
        <NativeSelect
          label="How long the old key continues to work"
          data={OVERLAPS}
          value={overlap}
          onChange={(event) => setOverlap(event.currentTarget.value)}
        />
        <Button type="submit" loading={rotate.isPending}>
          Rotate
        </Button>
      </Form>
    </SecretDialog>
  );
}

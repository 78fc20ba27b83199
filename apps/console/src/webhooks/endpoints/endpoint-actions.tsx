import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type Schemas, unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { notifyDone, notifyProblem } from '../../ui/notify.tsx';
import { EditEndpointDialog } from './edit-endpoint-dialog.tsx';
import { RotateSecretDialog } from './rotate-secret-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

/** The actions of an endpoint. */
export function EndpointActions({ webhook }: { webhook: Schemas['Webhook'] }) {
  const [dialog, setDialog] = useState<'test' | 'edit' | 'rotate' | null>(null);
  const queryClient = useQueryClient();
  const router = useRouter();
  const workspaceId = webhook.workspace_id;
  const path = { params: { path: { id: webhook.id }, query: { workspaceId } } };
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks(workspaceId) });

  const enable = useMutation({
    mutationFn: (enabled: boolean) => unwrap(api.PATCH('/webhooks/{id}', { ...path, body: { enabled } })),
    onSuccess: ({ enabled }) =>
      notifyDone(enabled ? 'The endpoint is enabled.' : 'The endpoint is disabled.'),
    onError: notifyProblem,
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/webhooks/{id}', path)),
    onSuccess: async () => {
      await router.navigate({ to: '/w/$workspaceId/webhooks', params: { workspaceId } });
      notifyDone('The endpoint is deleted.');
      await refresh();
    },
    onError: notifyProblem,
  });
  const askToDisable = () =>
    confirmDestruction({
      title: 'Disable this endpoint?',
      consequence: 'Events are held meanwhile. Enable the endpoint and replay them to send them.',
      act: 'Disable',
      onConfirm: () => enable.mutate(false),
    });
  const askToDelete = () =>
    confirmDestruction({
      title: 'Delete this endpoint?',
      consequence:
        'It receives no more events. Pending deliveries are cancelled, and its deliveries are no longer shown.',
      act: 'Delete',
      onConfirm: () => remove.mutate(),
    });

  return (
    <>
      <Button variant="default" disabled={!webhook.enabled} onClick={() => setDialog('test')}>
        Send a test
      </Button>
      <Button variant="default" onClick={() => setDialog('edit')}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setDialog('rotate')}>
        Rotate secret
      </Button>
      <Button
        variant="default"
        loading={enable.isPending}
        onClick={() => (webhook.enabled ? askToDisable() : enable.mutate(true))}
      >
        {webhook.enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="outline" color="red" loading={remove.isPending} onClick={askToDelete}>
        Delete
      </Button>
      {dialog === 'test' && <TestDialog webhook={webhook} onClose={() => setDialog(null)} />}
      {dialog === 'edit' && <EditEndpointDialog webhook={webhook} onClose={() => setDialog(null)} />}
      {dialog === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={() => setDialog(null)} />}
    </>
  );
}

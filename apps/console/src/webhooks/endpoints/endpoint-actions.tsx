import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { webhooksTexts as t } from '../../texts/webhooks.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { MoreAction, MoreMenu } from '../../ui/dialog/more-menu.tsx';
import { useChange } from '../../ui/use-change.ts';
import { EditEndpointDialog } from './edit-endpoint-dialog.tsx';
import { RotateSecretDialog } from './rotate-secret-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

/** The actions of an endpoint. */
export function EndpointActions({ webhook }: { webhook: Schemas['Webhook'] }) {
  const [dialog, setDialog] = useState<'test' | 'edit' | 'rotate' | null>(null);
  const router = useRouter();
  const workspaceId = webhook.workspace_id;
  const path = { id: webhook.id, workspaceId };
  const changes = [queryKeys.webhooks(workspaceId)];

  const enable = useChange({
    mutationFn: (enabled: boolean) => api.patch('/webhooks/{id}', { ...path, body: { enabled } }),
    changes,
    done: ({ enabled }) => (enabled ? t.enable.done : t.disable.done),
  });
  const remove = useChange({
    mutationFn: () => api.delete('/webhooks/{id}', path),
    changes,
    done: t.delete.done,
    onSuccess: () => router.navigate({ to: '/w/$workspaceId/webhooks', params: { workspaceId } }),
  });
  const askToDisable = () => confirmDestruction({ ...t.disable, onConfirm: () => enable.mutate(false) });
  const askToDelete = () =>
    confirmDestruction({ ...t.delete, act: ui.delete, onConfirm: () => remove.mutate() });

  return (
    <>
      <Button variant="default" disabled={!webhook.enabled} onClick={() => setDialog('test')}>
        {t.test.title}
      </Button>
      <Button variant="default" onClick={() => setDialog('edit')}>
        {ui.edit}
      </Button>
      <MoreMenu isBusy={enable.isPending || remove.isPending}>
        <MoreAction onClick={() => setDialog('rotate')}>{t.secret.rotate}</MoreAction>
        <MoreAction onClick={() => (webhook.enabled ? askToDisable() : enable.mutate(true))}>
          {webhook.enabled ? t.disable.act : t.enable.act}
        </MoreAction>
        <MoreAction isDanger onClick={askToDelete}>
          {ui.delete}
        </MoreAction>
      </MoreMenu>
      {dialog === 'test' && <TestDialog webhook={webhook} onClose={() => setDialog(null)} />}
      {dialog === 'edit' && <EditEndpointDialog webhook={webhook} onClose={() => setDialog(null)} />}
      {dialog === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={() => setDialog(null)} />}
    </>
  );
}

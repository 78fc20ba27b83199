import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { DialogButtons } from '../../ui/dialog/dialog-buttons.tsx';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { verifyDelivery } from '../../ui/snippet/verify-delivery.ts';

/** Starts or ends a rotation of an endpoint's secret. */
export function RotateSecretDialog(props: { webhook: Schemas['Webhook']; onClose: () => void }) {
  const t = webhooksTexts.secret;
  const { webhook, onClose } = props;
  const queryClient = useQueryClient();
  const isUnderWay = webhook.previous_secret_until !== null;
  const rotate = useMutation({
    mutationFn: (promote: boolean) =>
      unwrap(
        api.POST('/webhooks/{id}/rotate-secret', { params: { path: { id: webhook.id } }, body: { promote } }),
      ),
    onSuccess: async (_, promote) => {
      const isRead = queryClient.invalidateQueries({ queryKey: queryKeys.webhooks(webhook.workspace_id) });
      // Show the secret without waiting for the list.
      if (!promote) return;
      await isRead;
      notifyDone(t.promoted);
      onClose();
    },
  });
  const secret = rotate.data?.secret;
  return (
    <SecretDialog
      size="lg"
      onClose={onClose}
      title={t.title}
      label={t.name}
      snippet={{
        title: t.verify,
        guide: '/docs/webhooks',
        of: (value) => verifyDelivery(value, webhook.url),
      }}
      note={t.note}
      secret={secret}
      isPending={rotate.isPending}
    >
      <Form onSubmit={() => rotate.mutate(isUnderWay)} error={rotate.error}>
        <Text size="sm">{isUnderWay ? t.promoteHint : t.hint}</Text>
        <DialogButtons onCancel={onClose} of={rotate}>
          {isUnderWay ? t.promote : t.create}
        </DialogButtons>
      </Form>
    </SecretDialog>
  );
}

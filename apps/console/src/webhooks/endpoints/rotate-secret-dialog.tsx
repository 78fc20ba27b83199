import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { verifyDelivery } from '../../ui/snippet/verify-delivery.ts';

/** Starts or ends a rotation of an endpoint's secret. */
export function RotateSecretDialog(props: { webhook: Schemas['Webhook']; onClose: () => void }) {
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
      notifyDone('Only the new secret signs from now on.');
      onClose();
    },
  });
  const secret = rotate.data?.secret;
  return (
    <SecretDialog
      size="lg"
      onClose={onClose}
      title="Rotate the secret"
      label="signing secret"
      snippet={{ title: 'Receive and verify deliveries', of: verifyDelivery }}
      note="The old secret signs X-Waymark-Signature for 24 more hours, or until you promote the new one; both sign webhook-signature meanwhile."
      secret={secret}
      isPending={rotate.isPending}
    >
      <Stack>
        {rotate.isError && <ProblemAlert error={rotate.error} />}
        <Text size="sm">
          {isUnderWay
            ? 'A new secret exists, and both sign. Promote it when your endpoint uses it; the old one then stops signing.'
            : 'Creates a new secret. Both sign for 24 hours, so that you can change your endpoint without losing events.'}
        </Text>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate(isUnderWay)}>
          {isUnderWay ? 'Promote the new secret' : 'Create a new secret'}
        </Button>
      </Stack>
    </SecretDialog>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { verifyDelivery } from '../../ui/snippet/verify-delivery.ts';
import { webhookKeys } from '../webhook-keys.ts';
import { type EndpointEntries, EndpointForm } from './endpoint-form.tsx';

const INITIAL: EndpointEntries = {
  url: '',
  description: '',
  events: ['decision.created', 'decision.outcome_logged'],
  maxPerSecond: null,
};

/** Registers an endpoint and shows its signing secret once. */
export function NewEndpointDialog({ onClose }: { onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: (entries: EndpointEntries) =>
      unwrap(api.POST('/webhooks', { body: { workspaceId, ...entries } })),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: webhookKeys.list(workspaceId) });
    },
  });
  const secret = create.data?.secret;
  return (
    <SecretDialog
      size="lg"
      onClose={onClose}
      title="Add an endpoint"
      label="signing secret"
      snippet={{ title: 'Receive and verify deliveries', of: verifyDelivery }}
      note="Your endpoint uses it to check that a request comes from Waymark and is recent."
      secret={secret}
      isPending={create.isPending}
    >
      <EndpointForm
        initial={INITIAL}
        act="Add endpoint"
        error={create.error}
        isSaving={create.isPending}
        save={(entries) => create.mutate(entries)}
      />
    </SecretDialog>
  );
}

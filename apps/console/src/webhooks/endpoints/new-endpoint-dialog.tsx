import { useRouter } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { webhooksTexts as t } from '../../texts/webhooks.ts';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { verifyDelivery } from '../../ui/snippet/verify-delivery.ts';
import { useChange } from '../../ui/use-change.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { type EndpointEntries, EndpointForm } from './endpoint-form.tsx';

const INITIAL: EndpointEntries = {
  url: '',
  description: '',
  format: 'waymark',
  events: ['decision.created', 'decision.outcome_logged'],
  maxPerSecond: null,
};

/** Registers an endpoint, shows its signing secret once, and leads to its page, which can send a test. */
export function NewEndpointDialog({ onClose }: { onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const create = useChange({
    mutationFn: (entries: EndpointEntries) => api.post('/webhooks', { body: { workspaceId, ...entries } }),
    changes: [queryKeys.webhooks(workspaceId)],
    isAtOnce: true,
    onSuccess: (created) => {
      // A chat checks no signature.
      if (created.format !== 'waymark') close(created.id);
    },
  });
  const { secret, url = '', id, format } = create.data ?? {};
  const close = (webhookId = id) => {
    onClose();
    if (webhookId === undefined) return;
    const params = { workspaceId, webhookId };
    void router.navigate({ to: '/w/$workspaceId/webhooks/$webhookId', params, ignoreBlocker: true });
  };
  return (
    <SecretDialog
      size="lg"
      onClose={() => close()}
      title={t.new.title}
      label={t.secret.name}
      snippet={{ title: t.secret.verify, guide: '/docs/webhooks', of: (value) => verifyDelivery(value, url) }}
      note={t.new.note}
      secret={format === 'waymark' ? secret : undefined}
      isPending={create.isPending}
    >
      <EndpointForm initial={INITIAL} act={t.new.add} save={create} />
    </SecretDialog>
  );
}

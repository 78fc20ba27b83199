import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { webhooksTexts as t } from '../../texts/webhooks.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import { type EndpointEntries, EndpointForm } from './endpoint-form.tsx';

export function EditEndpointDialog(props: { webhook: Schemas['Webhook']; onClose: () => void }) {
  const { webhook, onClose } = props;
  const save = useChange({
    mutationFn: (body: EndpointEntries) => api.patch('/webhooks/{id}', { id: webhook.id, body }),
    changes: [queryKeys.webhooks(webhook.workspace_id)],
    done: t.edit.done,
    isAtOnce: true,
  });
  return (
    <Dialog size="lg" onClose={onClose} title={t.edit.title} isSent={save.isPending} keepsInput>
      <EndpointForm
        initial={{
          url: webhook.url,
          description: webhook.description,
          format: webhook.format,
          events: webhook.events as EndpointEntries['events'],
          maxPerSecond: webhook.max_per_second,
        }}
        act={ui.save}
        save={{ ...save, mutate: (entries) => save.mutate(entries, { onSuccess: onClose }) }}
      />
    </Dialog>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { webhooksTexts as t } from '../../texts/webhooks.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { type EndpointEntries, EndpointForm } from './endpoint-form.tsx';

export function EditEndpointDialog(props: { webhook: Schemas['Webhook']; onClose: () => void }) {
  const { webhook, onClose } = props;
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (body: EndpointEntries) =>
      unwrap(api.PATCH('/webhooks/{id}', { params: { path: { id: webhook.id } }, body })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks(webhook.workspace_id) });
      notifyDone(t.edit.done);
      onClose();
    },
  });
  return (
    <Dialog size="lg" onClose={onClose} title={t.edit.title}>
      <EndpointForm
        initial={{
          url: webhook.url,
          description: webhook.description,
          format: webhook.format,
          events: webhook.events as EndpointEntries['events'],
          maxPerSecond: webhook.max_per_second,
        }}
        act={ui.save}
        error={save.error}
        isSaving={save.isPending}
        save={(entries) => save.mutate(entries)}
      />
    </Dialog>
  );
}

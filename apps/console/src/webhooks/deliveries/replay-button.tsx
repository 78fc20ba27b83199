import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { webhookKeys } from '../webhook-keys.ts';

/** Sends one delivery again under the same id; one that is pending, at once. */
export function ReplayButton({ delivery }: { delivery: Schemas['Delivery'] }) {
  const { id, workspace_id: workspaceId, webhook_id: webhookId, event_type, status } = delivery;
  const isPending = status === 'pending';
  const t = deliveriesTexts.replay;
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/deliveries/{id}/replay', { params: { path: { id }, query: { workspaceId } } })),
    onSuccess: () => notifyDone(t.doneOne),
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhookKeys.one(workspaceId, webhookId) }),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={replay.isPending}
      aria-label={isPending ? t.nowOf(event_type) : t.of(event_type)}
      onClick={() => replay.mutate()}
    >
      {isPending ? t.now : t.act}
    </Button>
  );
}

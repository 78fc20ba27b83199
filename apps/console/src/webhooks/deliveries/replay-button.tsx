import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { RowButton } from '../../ui/list/row-button.tsx';
import { useChange } from '../../ui/use-change.ts';

/** Sends one delivery again under the same id; one that is pending, at once. */
export function ReplayButton({ delivery }: { delivery: Schemas['Delivery'] }) {
  const { id, workspace_id: workspaceId, webhook_id: webhookId, event_type, status } = delivery;
  const isPending = status === 'pending';
  const t = deliveriesTexts.replay;
  const replay = useChange({
    mutationFn: () => api.post('/deliveries/{id}/replay', { id, workspaceId }),
    changes: [queryKeys.webhook(workspaceId, webhookId)],
    done: t.doneOne,
  });
  return (
    <RowButton
      loading={replay.isPending}
      aria-label={isPending ? t.nowOf(event_type) : t.of(event_type)}
      onClick={() => replay.mutate()}
    >
      {isPending ? t.now : t.act}
    </RowButton>
  );
}

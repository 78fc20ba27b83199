import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import { WorkingBar } from '../../ui/working-bar.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';

type Status = keyof typeof deliveriesTexts.replay.statuses;
const DAY_MS = 86_400_000;

/**
 * Replays all deliveries of a status since a time. One call replays some thousands; the dialog repeats it
 * until all are done.
 */
export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const t = deliveriesTexts.replay;
  const { id: workspaceId } = useWorkspace();
  const form = useForm({
    initialValues: { since: localTime(Date.now() - DAY_MS), status: 'failed' as Status },
  });
  const [done, setDone] = useState(0);
  const replay = useChange({
    mutationFn: async ({ since, status }: typeof form.values) => {
      let sent = 0;
      let from: string | null = new Date(since).toISOString();
      while (from !== null) {
        const body: Schemas['WebhookReplay'] = { since: from, status };
        const input = { id: webhookId, workspaceId, body };
        const part: Schemas['WebhookReplayed'] = await api.post('/webhooks/{id}/replay', input);
        sent += part.replayed;
        setDone(sent);
        from = part.next_since;
      }
      return sent;
    },
    changes: [queryKeys.webhook(workspaceId, webhookId)],
    done: t.done,
    isAtOnce: true,
  });
  return (
    <FormDialog title={t.title} onClose={onClose} form={form} change={replay} act={t.act} isUnsaved={false}>
      <Text size="sm">{t.hint}</Text>
      <NativeSelect
        label={t.which}
        data={Object.entries(t.statuses).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('status')}
      />
      <TextInput label={t.since} type="datetime-local" required {...form.getInputProps('since')} />
      {replay.isPending && (
        <div role="status">
          <WorkingBar label={t.running} />
          <Text size="sm">{t.soFar(done)}</Text>
        </div>
      )}
    </FormDialog>
  );
}

/** Formats local time to the minute for an input of type datetime-local. */
function localTime(timeMs: number): string {
  const offsetMs = new Date(timeMs).getTimezoneOffset() * 60_000;
  return new Date(timeMs - offsetMs).toISOString().slice(0, 16);
}

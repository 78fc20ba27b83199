import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { useChange } from '../../ui/use-change.ts';
import { WorkingBar } from '../../ui/working-bar.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { webhookKeys } from '../webhook-keys.ts';

type Status = keyof typeof deliveriesTexts.replay.statuses;
const DAY_MS = 86_400_000;

/**
 * Replays all deliveries of a status since a time. One call replays some thousands; the dialog repeats it
 * until all are done.
 */
export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const t = deliveriesTexts.replay;
  const { id: workspaceId } = useWorkspace();
  const [since, setSince] = useState(() => localTime(Date.now() - DAY_MS));
  const [status, setStatus] = useState<Status>('failed');
  const [done, setDone] = useState(0);
  const replay = useChange({
    mutationFn: async () => {
      let sent = 0;
      let from: string | null = new Date(since).toISOString();
      while (from !== null) {
        const body: Schemas['WebhookReplay'] = { since: from, status };
        const path = { path: { id: webhookId }, query: { workspaceId } };
        const part: Schemas['WebhookReplayed'] = await unwrap(
          api.POST('/webhooks/{id}/replay', { params: path, body }),
        );
        sent += part.replayed;
        setDone(sent);
        from = part.next_since;
      }
      return sent;
    },
    changes: [webhookKeys.one(workspaceId, webhookId)],
    done: t.done,
    onSuccess: onClose,
  });
  return (
    <Dialog onClose={onClose} title={t.title}>
      <Form onSubmit={() => replay.mutate()} error={replay.error}>
        <Text size="sm">{t.hint}</Text>
        <NativeSelect
          label={t.which}
          data={Object.entries(t.statuses).map(([value, label]) => ({ value, label }))}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as Status)}
        />
        <TextInput
          label={t.since}
          type="datetime-local"
          required
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        {replay.isPending && (
          <div role="status">
            <WorkingBar label={t.running} />
            <Text size="sm">{t.soFar(done)}</Text>
          </div>
        )}
        <SubmitButton of={replay}>{t.act}</SubmitButton>
      </Form>
    </Dialog>
  );
}

/** Formats local time to the minute for an input of type datetime-local. */
function localTime(timeMs: number): string {
  const offsetMs = new Date(timeMs).getTimezoneOffset() * 60_000;
  return new Date(timeMs - offsetMs).toISOString().slice(0, 16);
}

import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, type Schemas } from '../../api/client.ts';
import type { LocalError } from '../../api/problem.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';

type TestEvent = 'ping' | Schemas['WebhookCreate']['events'][number];

/** The pauses before each look at the attempt; an endpoint that takes longer is not waited for. */
const PAUSES_MS = [200, 400, 800, 1_600, 3_200];

async function firstAttempt({ id, workspace_id: workspaceId }: Schemas['Delivery']) {
  for (const pauseMs of PAUSES_MS) {
    await new Promise((go) => setTimeout(go, pauseMs));
    const { attempts } = await api.get('/deliveries/{id}', { id, workspaceId });
    const attempt = attempts.at(-1);
    if (attempt) return attempt;
  }
  return null;
}

/** Sends a ping, or an example of an event that the endpoint receives. */
export function TestDialog({ webhook, onClose }: { webhook: Schemas['Webhook']; onClose: () => void }) {
  const t = webhooksTexts.test;
  const { id, workspace_id: workspaceId } = webhook;
  const form = useForm({ initialValues: { event: 'ping' as TestEvent } });
  const test = useChange({
    mutationFn: async ({ event }: typeof form.values) => {
      const attempt = await firstAttempt(await api.post('/webhooks/{id}/test', { id, workspaceId, event }));
      if (!attempt) return t.sent;
      const { status } = attempt;
      const title = status === null ? t.noAnswer : t.answered(status);
      if (status !== null && status < 300) return title;
      // A repeat would be another test.
      const local: LocalError['local'] = { title, detail: t.retried, isFinal: true };
      throw Object.assign(new Error(title), { local });
    },
    changes: [queryKeys.webhooks(workspaceId)],
    isAtOnce: true,
    done: (text) => text,
  });
  return (
    <FormDialog
      title={t.title}
      onClose={onClose}
      onDone={() => {
        onClose();
        // A list that is scrolled holds back new deliveries.
        window.scrollTo({ top: 0 });
      }}
      form={form}
      change={test}
      act={t.send}
      isUnsaved={false}
    >
      <Select
        label={t.event}
        description={t.eventHint}
        searchable
        allowDeselect={false}
        // It has the focus of the new dialog, which its list would cover.
        openOnFocus={false}
        data={['ping', ...webhook.events]}
        {...form.getInputProps('event')}
      />
    </FormDialog>
  );
}

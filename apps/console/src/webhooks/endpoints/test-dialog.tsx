import { Button, Group, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';

type TestEvent = 'ping' | Schemas['WebhookCreate']['events'][number];

/** Sends a ping, or an example of an event that the endpoint receives. */
export function TestDialog({ webhook, onClose }: { webhook: Schemas['Webhook']; onClose: () => void }) {
  const t = webhooksTexts.test;
  const { id, workspace_id: workspaceId } = webhook;
  const [event, setEvent] = useState<TestEvent>('ping');
  const queryClient = useQueryClient();
  const test = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/webhooks/{id}/test', { params: { path: { id }, query: { workspaceId, event } } })),
    onSuccess: () => {
      notifyDone(t.sent);
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks(workspaceId) }),
  });
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form
        error={test.error}
        onSubmit={(submit) => {
          submit.preventDefault();
          test.mutate();
        }}
      >
        <Select
          label={t.event}
          description={t.eventHint}
          searchable
          allowDeselect={false}
          // It has the focus of the new dialog, which its list would cover.
          openOnFocus={false}
          data={['ping', ...webhook.events]}
          value={event}
          onChange={(chosen) => chosen && setEvent(chosen as TestEvent)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui.cancel}
          </Button>
          <Button type="submit" loading={test.isPending}>
            {t.send}
          </Button>
        </Group>
      </Form>
    </Dialog>
  );
}

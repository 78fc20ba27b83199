import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { DialogButtons } from '../../ui/dialog/dialog-buttons.tsx';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { verifyDelivery } from '../../ui/snippet/verify-delivery.ts';
import { useChange } from '../../ui/use-change.ts';

/** Starts or ends a rotation of an endpoint's secret. */
export function RotateSecretDialog(props: { webhook: Schemas['Webhook']; onClose: () => void }) {
  const t = webhooksTexts.secret;
  const { webhook, onClose } = props;
  // As it was when the dialog was opened: the new secret may change the endpoint before the response is here.
  const [isUnderWay] = useState(webhook.previous_secret_until !== null);
  const rotate = useChange({
    mutationFn: (promote: boolean) =>
      api.post('/webhooks/{id}/rotate-secret', { id: webhook.id, body: { promote } }),
    changes: [queryKeys.webhooks(webhook.workspace_id)],
    // The secret is shown without waiting for the list.
    isAtOnce: true,
    ...(isUnderWay && { done: t.promoted }),
  });
  const form = useForm({});
  if (isUnderWay) {
    const change = { ...rotate, mutate: (_: object, then: object) => rotate.mutate(true, then) };
    return (
      <FormDialog title={t.title} onClose={onClose} form={form} change={change} act={t.promote}>
        <Text size="sm">{t.promoteHint}</Text>
      </FormDialog>
    );
  }
  const secret = rotate.data?.secret;
  return (
    <SecretDialog
      size="lg"
      onClose={onClose}
      title={t.title}
      label={t.name}
      snippet={{
        title: t.verify,
        guide: '/docs/webhooks',
        of: (value) => verifyDelivery(value, webhook.url),
      }}
      note={t.note}
      secret={secret}
      isPending={rotate.isPending}
    >
      <Form onSubmit={() => rotate.mutate(false)} error={rotate.error}>
        <Text size="sm">{t.hint}</Text>
        <DialogButtons onCancel={rotate.isPending ? undefined : onClose} of={rotate}>
          {t.create}
        </DialogButtons>
      </Form>
    </SecretDialog>
  );
}

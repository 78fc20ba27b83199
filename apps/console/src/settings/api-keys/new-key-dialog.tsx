import { Button, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { firstCall } from '../../ui/snippet/first-call.ts';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Until it is revoked' },
];

/** Creates a key and shows it once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: '', scope: 'read', days: '90', allowedIps: '' } });
  const create = useMutation({
    mutationFn: (body: Schemas['ApiKeyCreate']) => unwrap(api.POST('/api-keys', { body })),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys(workspaceId) });
    },
  });
  const submit = form.onSubmit(({ name, scope, days, allowedIps }) =>
    create.mutate({
      workspaceId,
      name,
      scopes: scope === 'write' ? ['read', 'write'] : ['read'],
      expiresAt: days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null,
      allowedIps: allowedIps.split(/[\s,]+/).filter(Boolean),
    }),
  );
  const key = create.data?.key;
  return (
    <SecretDialog
      size="lg"
      onClose={onClose}
      title="Create an API key"
      label="API key"
      snippet={{
        title: 'Make the first call',
        of: (secret) => firstCall(window.location.origin, workspaceId, secret),
      }}
      note="Keep it where the program keeps its secrets. Only its hash is stored here."
      secret={key}
      isPending={create.isPending}
      isUnsaved={form.isDirty() && !key}
    >
      <Form onSubmit={submit} error={create.error} form={form}>
        <TextInput
          label="Name"
          description="The program that uses the key; shown in the audit log"
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Radio.Group label="It may" {...form.getInputProps('scope')}>
          <Stack gap="xs" mt="xs">
            <Radio value="read" label="Read" />
            <Radio value="write" label="Read and write" />
          </Stack>
        </Radio.Group>
        <NativeSelect label="Valid for" data={LIFETIMES} {...form.getInputProps('days')} />
        <Textarea
          label="Allowed addresses"
          description="IP addresses or blocks such as 203.0.113.0/24, one per line; empty allows any address"
          autosize
          minRows={2}
          {...form.getInputProps('allowedIps')}
        />
        <Button type="submit" loading={create.isPending}>
          Create key
        </Button>
      </Form>
    </SecretDialog>
  );
}

import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { changeWorkspaces } from '../../session/change-workspaces.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';

export function RenameWorkspace() {
  const { id, name } = useWorkspace();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name } });
  const rename = useMutation({
    mutationFn: (body: { name: string }) =>
      unwrap(api.PATCH('/workspaces/{id}', { params: { path: { id } }, body })),
    onSuccess: (renamed) => {
      changeWorkspaces(queryClient, (known) => known.map((one) => (one.id === id ? renamed : one)));
      notifyDone(`The workspace is called ${renamed.name} now.`);
    },
  });
  return (
    <Form
      onSubmit={form.onSubmit((values) => rename.mutate(values))}
      error={rename.error}
      form={form}
      gap="xs"
    >
      <Group align="flex-end">
        <TextInput label="Name" required flex={1} miw={200} {...form.getInputProps('name')} />
        <Button type="submit" loading={rename.isPending} disabled={form.values.name === name}>
          Rename
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Workspace id, as programs name it: {id}
      </Text>
    </Form>
  );
}

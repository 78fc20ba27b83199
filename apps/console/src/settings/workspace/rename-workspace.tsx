import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { changeWorkspaces } from '../../session/change-workspaces.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { workspaceSettingsTexts as t } from '../../texts/workspace-settings.ts';
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
      notifyDone(t.renamed(renamed.name));
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
        <TextInput label={ui.name} required flex={1} miw={200} {...form.getInputProps('name')} />
        <Button type="submit" loading={rename.isPending} disabled={form.values.name === name}>
          {ui.rename}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t.idOf(id)}
      </Text>
    </Form>
  );
}

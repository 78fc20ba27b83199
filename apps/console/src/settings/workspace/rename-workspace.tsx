import { Button, TextInput } from '@mantine/core';
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
import { Setting, SettingFooter } from '../setting.tsx';

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
    <Setting id="rename-workspace" title={ui.name}>
      <Form onSubmit={form.onSubmit((values) => rename.mutate(values))} error={rename.error} form={form}>
        <TextInput aria-label={ui.name} required maw={420} {...form.getInputProps('name')} />
        <SettingFooter hint={t.idOf(id)}>
          <Button type="submit" loading={rename.isPending} disabled={form.values.name === name}>
            {ui.rename}
          </Button>
        </SettingFooter>
      </Form>
    </Setting>
  );
}

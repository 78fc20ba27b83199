import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { workspaceSettingsTexts as t } from '../../texts/workspace-settings.ts';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { changeWorkspaces } from '../../workspace/change-workspaces.ts';

export function NewWorkspacePage() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({ initialValues: { name: '' } });
  const create = useMutation({
    mutationFn: (body: { name: string }) => api.post('/workspaces', { body }),
    onSuccess: async (workspace) => {
      changeWorkspaces(queryClient, (known) => [...known, workspace]);
      await router.navigate({ to: '/w/$workspaceId/decisions', params: { workspaceId: workspace.id } });
    },
  });
  return (
    <Page title={t.new.title} maxWidth={480}>
      <ChangeForm form={form} change={create}>
        <TextInput label={ui.name} description={t.new.nameHint} required {...form.getInputProps('name')} />
        <SubmitButton of={create}>{t.new.create}</SubmitButton>
      </ChangeForm>
    </Page>
  );
}

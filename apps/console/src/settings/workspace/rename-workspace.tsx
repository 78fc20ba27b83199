import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { uiTexts as ui } from '../../texts/ui.ts';
import { workspaceSettingsTexts as t } from '../../texts/workspace-settings.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { useChangeWorkspace } from './use-change-workspace.ts';

export function RenameWorkspace() {
  const { id, name } = useWorkspace();
  const form = useForm({ initialValues: { name } });
  const rename = useChangeWorkspace((renamed) => t.renamed(renamed.name));
  return (
    <Setting id="rename-workspace" title={ui.name}>
      <Form onSubmit={form.onSubmit((values) => rename.mutate(values))} error={rename.error} form={form}>
        <TextInput aria-label={ui.name} required maw={420} {...form.getInputProps('name')} />
        <SettingFooter hint={t.idOf(id)}>
          <SubmitButton of={rename} disabled={form.values.name === name}>
            {ui.rename}
          </SubmitButton>
        </SettingFooter>
      </Form>
    </Setting>
  );
}

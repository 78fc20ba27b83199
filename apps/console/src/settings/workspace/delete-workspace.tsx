import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useLeaveWorkspace } from '../../workspace/use-leave-workspace.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';

/** Deletes the workspace after the user has typed its name. */
export function DeleteWorkspace() {
  const t = workspaceSettingsTexts.delete;
  const { id, name } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const form = useForm({ initialValues: { typed: '' } });
  const leave = useLeaveWorkspace();
  const remove = useChange({
    mutationFn: () => api.delete('/workspaces/{id}', { id }),
    changes: [],
    done: t.done(name),
    onSuccess: () => leave(id),
  });
  return (
    <Setting id="delete-workspace" title={t.title}>
      <Text size="sm">{t.hint}</Text>
      <SettingFooter hint={t.consequence}>
        <Button variant="outline" color="red" onClick={() => setOpen(true)}>
          {t.start}
        </Button>
      </SettingFooter>
      {isOpen && (
        <FormDialog
          title={t.ask(name)}
          onClose={() => setOpen(false)}
          form={form}
          change={{ ...remove, mutate: () => remove.mutate() }}
          act={t.confirm}
          isDanger
          isDisabled={form.values.typed !== name}
          isUnsaved={false}
        >
          <Text size="sm">{t.consequence}</Text>
          <TextInput label={t.typeName(name)} autoComplete="off" {...form.getInputProps('typed')} />
        </FormDialog>
      )}
    </Setting>
  );
}

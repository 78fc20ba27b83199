import { Button, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DialogButtons } from '../../ui/dialog/dialog-buttons.tsx';
import { Form } from '../../ui/form.tsx';
import { useLeaveWorkspace } from '../../workspace/use-leave-workspace.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';

/** Deletes the workspace after the user has typed its name. */
export function DeleteWorkspace() {
  const t = workspaceSettingsTexts.delete;
  const { id, name } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const leave = useLeaveWorkspace();
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/workspaces/{id}', { params: { path: { id } } })),
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
        <Dialog onClose={() => setOpen(false)} title={t.ask(name)}>
          <Form onSubmit={() => remove.mutate()} error={remove.error}>
            <Text size="sm">{t.consequence}</Text>
            <TextInput
              label={t.typeName(name)}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <DialogButtons onCancel={() => setOpen(false)} of={remove} color="red" disabled={typed !== name}>
              {t.confirm}
            </DialogButtons>
          </Form>
        </Dialog>
      )}
    </Setting>
  );
}

import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useLeaveWorkspace } from '../../session/use-leave-workspace.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form.tsx';

/** Deletes the workspace after the user has typed its name. */
export function DeleteWorkspace() {
  const { id, name } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const leave = useLeaveWorkspace();
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/workspaces/{id}', { params: { path: { id } } })),
    onSuccess: () => leave(id),
  });
  return (
    <Stack component="section" aria-labelledby="delete-workspace" gap="xs">
      <Title order={2} size="h4" id="delete-workspace">
        Delete this workspace
      </Title>
      <Text size="sm">
        This also deletes its decisions, workflows, threads, webhooks, keys and audit log for everyone.
      </Text>
      <Button variant="outline" color="red" style={{ alignSelf: 'flex-start' }} onClick={() => setOpen(true)}>
        Delete workspace
      </Button>
      {isOpen && (
        <Dialog onClose={() => setOpen(false)} title={`Delete ${name}?`}>
          <Form
            onSubmit={(event) => {
              event.preventDefault();
              remove.mutate();
            }}
            error={remove.error}
          >
            <Text size="sm">This cannot be undone. An export made before can be imported elsewhere.</Text>
            <TextInput
              label={`Type ${name} to confirm`}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setOpen(false)}>
                Cancel
              </Button>
              <Button type="submit" color="red" disabled={typed !== name} loading={remove.isPending}>
                Delete for good
              </Button>
            </Group>
          </Form>
        </Dialog>
      )}
    </Stack>
  );
}

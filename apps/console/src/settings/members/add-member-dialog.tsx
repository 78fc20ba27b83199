import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { Role } from '../../session/session-query.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { assignableRoles } from './roles.ts';

/** Adds a user who already has an account. */
export function AddMemberDialog({ onClose }: { onClose: () => void }) {
  const { id: workspaceId, role: mine } = useWorkspace();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { email: '', role: 'member' as Role } });
  const add = useMutation({
    mutationFn: ({ email, role }: typeof form.values) =>
      unwrap(api.POST('/members', { body: { workspaceId, email, role } })),
    onSuccess: ({ name, role }) => {
      notifyDone(`${name} is ${role} now.`);
      void queryClient.invalidateQueries({ queryKey: queryKeys.members(workspaceId) });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Add an existing user">
      <Form onSubmit={form.onSubmit((values) => add.mutate(values))} error={add.error} form={form}>
        <TextInput
          label="Email"
          description="The address of an existing account. Invite others by link."
          type="email"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <NativeSelect label="Role" data={assignableRoles(mine)} {...form.getInputProps('role')} />
        <Button type="submit" loading={add.isPending}>
          Add
        </Button>
      </Form>
    </Dialog>
  );
}

import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';

/** Renames a passkey, or removes it with the password. */
export function PasskeyDialog(props: {
  act: 'rename' | 'remove';
  passkey: Schemas['Passkey'];
  hasPassword: boolean;
  onClose: () => void;
}) {
  const { act, passkey, hasPassword, onClose } = props;
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: passkey.name, currentPassword: '' } });
  const path = { params: { path: { id: passkey.id } } };
  const change = useMutation({
    async mutationFn({ name, currentPassword }: typeof form.values) {
      if (act === 'rename') {
        await unwrap(api.PATCH('/auth/passkeys/{id}', { ...path, body: { name } }));
        return 'The passkey has its new name.';
      }
      const body = hasPassword ? { currentPassword } : {};
      await unwrap(api.POST('/auth/passkeys/{id}/remove', { ...path, body }));
      return `The passkey ${passkey.name} no longer signs you in.`;
    },
    onSuccess: (done) => {
      notifyDone(done);
      void queryClient.invalidateQueries({ queryKey: queryKeys.passkeys });
      onClose();
    },
  });
  const isRemoval = act === 'remove';
  return (
    <Dialog
      title={isRemoval ? `Remove ${passkey.name}?` : 'Rename the passkey'}
      onClose={onClose}
      isUnsaved={form.isDirty()}
    >
      <Form onSubmit={form.onSubmit((values) => change.mutate(values))} error={change.error} form={form}>
        {isRemoval ? (
          <Text size="sm">
            It no longer signs you in. Your device keeps it until you delete it there, too.
          </Text>
        ) : (
          <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        )}
        {isRemoval && hasPassword && (
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            required
            data-autofocus
            {...form.getInputProps('currentPassword')}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} {...(isRemoval && { color: 'red' })}>
            {isRemoval ? 'Remove' : 'Rename'}
          </Button>
        </Group>
      </Form>
    </Dialog>
  );
}

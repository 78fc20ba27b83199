import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts as t } from '../../texts/settings-account.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
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
        return t.passkeys.renamed;
      }
      const body = hasPassword ? { currentPassword } : {};
      await unwrap(api.POST('/auth/passkeys/{id}/remove', { ...path, body }));
      return t.passkeys.removed(passkey.name);
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
      title={isRemoval ? t.passkeys.askRemove(passkey.name) : t.passkeys.askRename}
      onClose={onClose}
      isUnsaved={form.isDirty()}
    >
      <Form onSubmit={form.onSubmit((values) => change.mutate(values))} error={change.error} form={form}>
        {isRemoval ? (
          <Text size="sm">{t.passkeys.removeHint}</Text>
        ) : (
          <TextInput label={ui.name} required {...form.getInputProps('name')} />
        )}
        {isRemoval && hasPassword && (
          <PasswordInput
            label={t.yourPassword}
            autoComplete="current-password"
            required
            {...form.getInputProps('currentPassword')}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui.cancel}
          </Button>
          <Button type="submit" loading={change.isPending} {...(isRemoval && { color: 'red' })}>
            {ui[act]}
          </Button>
        </Group>
      </Form>
    </Dialog>
  );
}

import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts as t } from '../../texts/settings-account.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import { CurrentPassword } from './current-password.tsx';

/** Renames a passkey, or removes it with the password. */
export function PasskeyDialog(props: {
  act: 'rename' | 'remove';
  passkey: Schemas['Passkey'];
  hasPassword: boolean;
  onClose: () => void;
}) {
  const { act, passkey, hasPassword, onClose } = props;
  const form = useForm({ initialValues: { name: passkey.name, currentPassword: '' } });
  const { id } = passkey;
  const change = useChange({
    async mutationFn({ name, currentPassword }: typeof form.values) {
      if (act === 'rename') {
        await api.patch('/auth/passkeys/{id}', { id, body: { name } });
        return t.passkeys.renamed;
      }
      const body = hasPassword ? { currentPassword } : {};
      await api.post('/auth/passkeys/{id}/remove', { id, body });
      return t.passkeys.removed(passkey.name);
    },
    changes: [queryKeys.account],
    done: (text) => text,
    isAtOnce: true,
  });
  const isRemoval = act === 'remove';
  return (
    <FormDialog
      title={isRemoval ? t.passkeys.askRemove(passkey.name) : t.passkeys.askRename}
      onClose={onClose}
      form={form}
      change={change}
      about={id}
      act={ui[act]}
      isDanger={isRemoval}
      // A password is typed again.
      keepsInput={!isRemoval}
      isUnsaved={!isRemoval && form.isDirty()}
    >
      {isRemoval ? (
        <Text size="sm">{t.passkeys.removeHint}</Text>
      ) : (
        <TextInput label={ui.name} required {...form.getInputProps('name')} />
      )}
      {isRemoval && hasPassword && <CurrentPassword {...form.getInputProps('currentPassword')} />}
    </FormDialog>
  );
}

import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { serviceAccountsTexts as t } from '../../texts/service-accounts.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { assignableRoles } from '../members/roles.ts';

export function NewServiceAccountDialog({ onClose }: { onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const form = useForm({ initialValues: { name: '', role: 'viewer' as Schemas['ServiceAccount']['role'] } });
  const create = useChange({
    mutationFn: (values: typeof form.values) =>
      api.post('/service-accounts', { body: { workspaceId, ...values } }),
    changes: [queryKeys.serviceAccounts(workspaceId)],
    done: ({ name }) => t.new.done(name),
    isAtOnce: true,
  });
  return (
    <FormDialog
      title={t.new.title}
      onClose={onClose}
      form={form}
      change={create}
      keepsInput
      act={t.new.title}
    >
      <TextInput label={ui.name} description={t.new.nameHint} required {...form.getInputProps('name')} />
      <NativeSelect label={t.new.role} data={assignableRoles('admin')} {...form.getInputProps('role')} />
    </FormDialog>
  );
}

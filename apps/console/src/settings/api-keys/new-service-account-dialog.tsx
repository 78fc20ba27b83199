import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { serviceAccountsTexts as t } from '../../texts/service-accounts.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { rolesOfAccounts, type ServiceAccountRole } from './service-account-roles.ts';

export function NewServiceAccountDialog({ onClose }: { onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: '', role: 'viewer' as ServiceAccountRole } });
  const create = useMutation({
    mutationFn: (values: typeof form.values) =>
      unwrap(api.POST('/service-accounts', { body: { workspaceId, ...values } })),
    onSuccess: ({ name }) => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.serviceAccounts(workspaceId) });
      notifyDone(t.new.done(name));
      onClose();
    },
  });
  return (
    <Dialog title={t.new.title} onClose={onClose} isUnsaved={form.isDirty()} isBusy={create.isPending}>
      <Form onSubmit={form.onSubmit((values) => create.mutate(values))} error={create.error} form={form}>
        <TextInput label={ui.name} description={t.new.nameHint} required {...form.getInputProps('name')} />
        <NativeSelect label={t.new.role} data={rolesOfAccounts()} {...form.getInputProps('role')} />
        <Button type="submit" loading={create.isPending}>
          {t.new.start}
        </Button>
      </Form>
    </Dialog>
  );
}

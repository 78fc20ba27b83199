import { NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { apiKeysTexts as t } from '../../texts/api-keys.ts';
import { serviceAccountsTexts as accounts } from '../../texts/service-accounts.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { firstCall } from '../../ui/snippet/first-call.ts';
import { useChange } from '../../ui/use-change.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';

type ServiceAccount = Schemas['ServiceAccount'];

const DAY_MS = 86_400_000;

/** Creates a key, of a service account or without a role, and shows it once. */
export function NewKeyDialog({ account, onClose }: { account: ServiceAccount | null; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const form = useForm({ initialValues: { name: '', scope: 'read', days: '90', allowedIps: '' } });
  const create = useChange({
    mutationFn: ({ name, scope, days, allowedIps }: typeof form.values) => {
      const body: Schemas['ApiKeyCreate'] = {
        workspaceId,
        name,
        scopes: scope === 'write' ? ['read', 'write'] : ['read'],
        expiresAt: days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null,
        allowedIps: allowedIps.split(/[\s,]+/).filter(Boolean),
        ...(account && { serviceAccountId: account.id }),
      };
      return api.post('/api-keys', { body });
    },
    changes: [queryKeys.apiKeys(workspaceId)],
    isAtOnce: true,
  });
  const mayWrite = form.values.scope === 'write';
  const newest = useQuery({
    queryKey: [...queryKeys.decisions(workspaceId), 'newest'],
    changesWith: [],
    queryFn: () => api.get('/decisions', { workspaceId, limit: 1 }),
    enabled: mayWrite,
  });
  const isEmpty = newest.data?.decisions.length === 0;
  const key = create.data?.key;
  return (
    <SecretDialog
      size="lg"
      onClose={onClose}
      title={account ? accounts.newKeyOf(account.name) : t.new.title}
      label={t.key}
      snippet={{
        title: t.firstCall,
        guide: '/docs/quickstart',
        of: (secret) => firstCall(window.location.origin, workspaceId, secret, mayWrite && isEmpty),
      }}
      note={t.new.note}
      secret={key}
      isPending={create.isPending}
      isUnsaved={form.isDirty() && !key}
    >
      <ChangeForm form={form} change={create}>
        <TextInput label={ui.name} description={t.new.nameHint} required {...form.getInputProps('name')} />
        <Radio.Group label={t.new.may} {...form.getInputProps('scope')}>
          <Stack gap="xs" mt="xs">
            <Radio value="read" label={t.new.read} />
            {account?.role !== 'viewer' && <Radio value="write" label={t.new.write} />}
          </Stack>
        </Radio.Group>
        <NativeSelect
          label={t.new.validFor}
          data={Object.entries(t.new.lifetimes).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('days')}
        />
        <Textarea
          label={t.new.addresses}
          description={t.new.addressesHint}
          autosize
          minRows={2}
          {...form.getInputProps('allowedIps')}
        />
        <SubmitButton of={create}>{t.new.create}</SubmitButton>
      </ChangeForm>
    </SecretDialog>
  );
}

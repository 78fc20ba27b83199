import { Button, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { membersTexts as members } from '../../texts/members.ts';
import { serviceAccountsTexts as t } from '../../texts/service-accounts.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { MoreAction, MoreMenu } from '../../ui/dialog/more-menu.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/text/section.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { assignableRoles } from '../members/roles.ts';
import { RoleSelect } from '../role-select.tsx';
import { NewServiceAccountDialog } from './new-service-account-dialog.tsx';
import { useServiceAccounts } from './use-service-accounts.ts';

type ServiceAccount = Schemas['ServiceAccount'];

/** The programs with a role. `onNewKey` creates a key of one. */
export function ServiceAccounts({ onNewKey }: { onNewKey: (account: ServiceAccount) => void }) {
  const [isCreating, setCreating] = useState(false);
  const { accounts, error } = useServiceAccounts();
  return (
    <Section
      title={t.title}
      about={t.about}
      actions={
        <Button variant="default" leftSection={<Plus size={16} />} onClick={() => setCreating(true)}>
          {t.new.title}
        </Button>
      }
    >
      {error && <ProblemAlert error={error} />}
      {accounts.length > 0 && (
        <DataTable columns={t.columns} minWidth={720} label={t.title}>
          {accounts.map((account) => (
            <AccountRow key={account.id} account={account} onNewKey={() => onNewKey(account)} />
          ))}
        </DataTable>
      )}
      {isCreating && <NewServiceAccountDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}

function AccountRow({ account, onNewKey }: { account: ServiceAccount; onNewKey: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const { id, name } = account;
  const changes = [queryKeys.serviceAccounts(workspaceId), queryKeys.apiKeys(workspaceId)];
  const changeRole = useChange({
    mutationFn: (role: ServiceAccount['role']) => api.patch('/service-accounts/{id}', { id, body: { role } }),
    changes,
    done: ({ role }) => members.role.done(name, words.role[role]),
  });
  const remove = useChange({
    mutationFn: () => api.delete('/service-accounts/{id}', { id }),
    changes,
    done: t.remove.done(name),
  });
  const askRole = (role: ServiceAccount['role']) =>
    confirmDestruction({
      title: members.role.ask(name, words.role[role]),
      consequence: t.roleConsequence(name, words.role[account.role]),
      act: members.role.change,
      onConfirm: () => changeRole.mutate(role),
    });
  const askRemoval = () =>
    confirmDestruction({
      title: t.remove.ask(name),
      consequence: t.remove.consequence,
      act: ui.remove,
      onConfirm: () => remove.mutate(),
    });
  return (
    <tr>
      <td>
        <Text size="sm" fw={600}>
          {name}
        </Text>
      </td>
      <td>
        <RoleSelect
          label={members.role.of(name)}
          roles={assignableRoles('admin')}
          role={account.role}
          isChanging={changeRole.isPending}
          choose={askRole}
        />
      </td>
      <td>
        <Moment at={account.created_at} />
      </td>
      <td>
        <MoreMenu of={name} isBusy={changeRole.isPending || remove.isPending}>
          <MoreAction onClick={onNewKey}>{t.newKey}</MoreAction>
          <MoreAction isDanger onClick={askRemoval}>
            {ui.remove}
          </MoreAction>
        </MoreMenu>
      </td>
    </tr>
  );
}

import { Button, Code, Stack, Text } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { api, hasCode, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { apiKeysTexts as t } from '../../texts/api-keys.ts';
import { list } from '../../texts/format.ts';
import { serviceAccountsTexts as accountsTexts } from '../../texts/service-accounts.ts';
import { settingsTexts as settings } from '../../texts/settings.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { MoreAction, MoreMenu } from '../../ui/dialog/more-menu.tsx';
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { useChange } from '../../ui/use-change.ts';
import { PlanGate } from '../../workspace/plan-gate.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import { ServiceAccounts } from './service-accounts.tsx';
import { useServiceAccounts } from './use-service-accounts.ts';

type ApiKey = Schemas['ApiKey'];

/** The use of a key makes no event, so the list is read again. */
const LAST_USE_POLL_MS = 10_000;

export function ApiKeysPage() {
  const { id: workspaceId } = useWorkspace();
  const [isCreating, setCreating] = useNewDialog();
  const [account, setAccount] = useState<Schemas['ServiceAccount'] | null>(null);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const keys = usePaged({
    queryKey: queryKeys.apiKeys(workspaceId),
    changesWith: ['api_key.*'],
    fetchPage: (at) => api.get('/api-keys', { workspaceId, ...at }),
    refreshMs: (items) => items.some(isUsable) && LAST_USE_POLL_MS,
  });
  const create = (
    <Button leftSection={<Plus size={16} />} onClick={() => setCreating(true)}>
      {t.new.start}
    </Button>
  );
  if (hasCode(keys.error, 'PLAN_GATE')) {
    return (
      <Page title={settings.apiKeys}>
        <PlanGate feature={settings.apiKeys}>{t.planReason}</PlanGate>
      </Page>
    );
  }
  return (
    <Page title={settings.apiKeys} actions={keys.items?.length ? create : null}>
      <Stack gap="xl">
        <div>
          <PagedList
            query={keys}
            empty={<EmptyState icon={<KeyRound />} title={t.empty} action={create} hint={t.emptyHint} />}
          >
            {(items) => <KeyTable keys={items} onRotate={setRotating} />}
          </PagedList>
        </div>
        <ServiceAccounts onNewKey={setAccount} />
      </Stack>
      {isCreating && <NewKeyDialog account={null} onClose={() => setCreating(false)} />}
      {account && <NewKeyDialog account={account} onClose={() => setAccount(null)} />}
      {rotating && <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(null)} />}
    </Page>
  );
}

function KeyTable({ keys, onRotate }: { keys: ApiKey[]; onRotate: (key: ApiKey) => void }) {
  const { id: workspaceId } = useWorkspace();
  const { accounts } = useServiceAccounts();
  const accountOf = ({ service_account_id: id }: ApiKey) =>
    accounts.find((one) => one.id === id)?.name ?? accountsTexts.unknown;
  const revoke = useChange({
    mutationFn: ({ id }: ApiKey) => api.delete('/api-keys/{id}', { id }),
    changes: [queryKeys.apiKeys(workspaceId)],
    done: (_, { name }) => t.revoke.done(name),
  });
  const ask = (key: ApiKey) =>
    confirmDestruction({ ...t.revoke, title: t.revoke.ask(key.name), onConfirm: () => revoke.mutate(key) });
  return (
    <DataTable columns={t.columns} minWidth={820}>
      {keys.map((key) => (
        <tr key={key.id}>
          <td>
            <Text size="sm" fw={600}>
              {key.name}
            </Text>
            <Code>{key.key_prefix}…</Code>
            {key.service_account_id && <Hint>{accountsTexts.of(accountOf(key))}</Hint>}
          </td>
          <td>
            <KeyState apiKey={key} />
          </td>
          <td>
            {key.scopes.includes('write') ? t.may.write : t.may.read}
            {isAhead(key.settings_until) && <Hint>{t.settings(<Moment at={key.settings_until} />)}</Hint>}
            {key.allowed_ips.length > 0 && <Hint>{t.from(list(key.allowed_ips))}</Hint>}
          </td>
          <td>
            <Moment at={key.last_used_at} />
          </td>
          <td>
            <Moment at={key.created_at} />
          </td>
          <td>
            {isUsable(key) && (
              <MoreMenu of={key.name}>
                {key.rotated_to === null && (
                  <MoreAction onClick={() => onRotate(key)}>{t.rotate.act}</MoreAction>
                )}
                <MoreAction isDanger onClick={() => ask(key)}>
                  {t.revoke.act}
                </MoreAction>
              </MoreMenu>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

const isAhead = (time: string | null) => time !== null && Date.parse(time) > Date.now();
const isExpired = ({ expires_at }: ApiKey) => expires_at !== null && !isAhead(expires_at);
const isUsable = (key: ApiKey) => key.revoked_at === null && !isExpired(key);

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.revoked_at !== null) return <StatusBadge color="gray">{t.states.revoked}</StatusBadge>;
  if (isExpired(apiKey)) return <StatusBadge color="gray">{t.states.expired}</StatusBadge>;
  return (
    <>
      <StatusBadge color={apiKey.rotated_to ? 'yellow' : 'teal'}>
        {apiKey.rotated_to ? t.states.replaced : t.states.active}
      </StatusBadge>
      {apiKey.expires_at && <Hint>{t.until(<Moment at={apiKey.expires_at} />)}</Hint>}
    </>
  );
}

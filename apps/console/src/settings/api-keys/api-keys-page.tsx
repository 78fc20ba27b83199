import { Button, Code, Group, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schemas, unwrap, WaymarkError } from '@waymark/client/api';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { PlanGate } from '../../session/plan-gate.tsx';
import { useWorkspace } from '../../session/use-workspace.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { notifyDone, notifyProblem } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { useNewDialog } from '../../ui/use-new-dialog.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

type ApiKey = Schemas['ApiKey'];

const COLUMNS = ['Name', 'State', 'May', 'Last used', 'Created', 'Actions'];

export function ApiKeysPage() {
  const { id: workspaceId } = useWorkspace();
  const [isCreating, setCreating] = useNewDialog();
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const keys = usePaged({
    queryKey: queryKeys.apiKeys(workspaceId),
    fetchPage: (at) => unwrap(api.GET('/api-keys', { params: { query: { workspaceId, ...at } } })),
  });
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create a key
    </Button>
  );
  if (keys.error instanceof WaymarkError && keys.error.code === 'PLAN_GATE') {
    return (
      <Page title="API keys">
        <PlanGate feature="API keys">With a key, programs can log and read decisions.</PlanGate>
      </Page>
    );
  }
  return (
    <Page title="API keys" actions={keys.items?.length ? create : null}>
      <PagedList
        query={keys}
        empty={
          <EmptyState icon={<KeyRound />} title="No API keys yet" action={create}>
            Programs authenticate with a key of this workspace. Give each program its own, so that you can
            revoke one without the others.
          </EmptyState>
        }
      >
        {(items) => <KeyTable keys={items} onRotate={setRotating} />}
      </PagedList>
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
      {rotating && <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(null)} />}
    </Page>
  );
}

function KeyTable({ keys, onRotate }: { keys: ApiKey[]; onRotate: (key: ApiKey) => void }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKey) => unwrap(api.DELETE('/api-keys/{id}', { params: { path: { id } } })),
    onSuccess: (_, { name }) => notifyDone(`${name} is revoked.`),
    onError: notifyProblem,
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys(workspaceId) }),
  });
  const ask = (key: ApiKey) =>
    confirmDestruction({
      title: `Revoke ${key.name}?`,
      consequence: 'Programs that use it are refused at once. A revoked key cannot be restored.',
      act: 'Revoke',
      onConfirm: () => revoke.mutate(key),
    });
  return (
    <DataTable columns={COLUMNS} minWidth={820}>
      {keys.map((key) => (
        <Table.Tr key={key.id}>
          <Table.Td>
            <Text size="sm" fw={600}>
              {key.name}
            </Text>
            <Code>{key.key_prefix}…</Code>
          </Table.Td>
          <Table.Td>
            <KeyState apiKey={key} />
          </Table.Td>
          <Table.Td>
            {key.scopes.includes('write') ? 'read and write' : 'read'}
            {key.allowed_ips.length > 0 && (
              <Text size="sm" c="dimmed">
                from {key.allowed_ips.join(', ')}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            <Moment at={key.last_used_at} />
          </Table.Td>
          <Table.Td>
            <Moment at={key.created_at} />
          </Table.Td>
          <Table.Td>
            {isUsable(key) && (
              <Group gap="xs" wrap="nowrap">
                {key.rotated_to === null && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Rotate ${key.name}`}
                    onClick={() => onRotate(key)}
                  >
                    Rotate
                  </Button>
                )}
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Revoke ${key.name}`}
                  onClick={() => ask(key)}
                >
                  Revoke
                </Button>
              </Group>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

const isExpired = ({ expires_at }: ApiKey) => expires_at !== null && Date.parse(expires_at) <= Date.now();
const isUsable = (key: ApiKey) => key.revoked_at === null && !isExpired(key);

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.revoked_at !== null) return <StatusBadge color="gray">revoked</StatusBadge>;
  if (isExpired(apiKey)) return <StatusBadge color="gray">expired</StatusBadge>;
  return (
    <>
      <StatusBadge color={apiKey.rotated_to ? 'yellow' : 'teal'}>
        {apiKey.rotated_to ? 'replaced' : 'active'}
      </StatusBadge>
      {apiKey.expires_at && (
        <Text size="sm" c="dimmed">
          until <Moment at={apiKey.expires_at} />
        </Text>
      )}
    </>
  );
}

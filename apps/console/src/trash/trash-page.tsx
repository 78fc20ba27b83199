import { Button, Stack, Tabs } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Declaration } from '../api/changes-with.ts';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { trashTexts as t } from '../texts/trash.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { PagedList } from '../ui/list/paged-list.tsx';
import { usePaged } from '../ui/list/use-paged.ts';
import { Page } from '../ui/page.tsx';
import { Hint } from '../ui/text/hint.ts';
import { Moment } from '../ui/text/moment.tsx';
import { useChange } from '../ui/use-change.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';

const DAY_MS = 86_400_000;

/** Deleted records, a kind at a time, which can be restored until they are purged. */
export function TrashPage() {
  const [kind, setKind] = useState<Trashed['kind']>('decision');
  return (
    <Page title={t.title}>
      <Stack>
        <Hint>{t.explanation}</Hint>
        <Tabs value={kind} onChange={(chosen) => setKind(chosen as Trashed['kind'])} keepMounted={false}>
          <Tabs.List pt="2xs" style={{ flexWrap: 'nowrap', overflowX: 'auto' }}>
            {trashKinds.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t.kinds[one]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {trashKinds.map((one) => (
            <Tabs.Panel key={one} value={one} pt="md">
              <OfKind kind={one} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </Page>
  );
}

function OfKind({ kind }: Pick<Trashed, 'kind'>) {
  const { id: workspaceId, may } = useWorkspace();
  const records = usePaged({
    queryKey: [...queryKeys.trash(workspaceId), kind],
    changesWith: inTrash[kind].changesWith,
    fetchPage: (at) => inTrash[kind].list({ workspaceId, ...at }),
  });
  const restore = useChange({
    mutationFn: ({ id }: Trashed) => inTrash[kind].restore({ id, workspaceId }),
    changes: [queryKeys.workspace(workspaceId)],
    done: (_, { title }) => t.restored(title),
  });
  const empty = <EmptyState icon={<Trash2 />} title={t.empty[kind]} hint={t.emptyHint} />;
  return (
    <PagedList query={records} empty={empty}>
      {(items) => (
        <DataTable
          columns={[t.record, t.deletedBy, t.deletedAt, t.left, ...(may('member') ? [t.act] : [])]}
          minWidth={640}
          label={t.kinds[kind]}
        >
          {items.map((one) => (
            <tr key={one.id}>
              <td>{one.title}</td>
              <td style={{ minWidth: '7rem', overflowWrap: 'anywhere' }}>{one.deleted_by.name}</td>
              <td>
                <Moment at={one.deleted_at} />
              </td>
              <td>{daysLeft(one)}</td>
              {may('member') && (
                <td>
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={t.restoreOf(one.title)}
                    loading={restore.isPending && restore.variables.id === one.id}
                    onClick={() => restore.mutate(one)}
                  >
                    {t.restore}
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </DataTable>
      )}
    </PagedList>
  );
}

function daysLeft({ purged_at }: Trashed): string {
  if (purged_at === null) return t.held;
  return t.days(Math.max(0, Math.ceil((Date.parse(purged_at) - Date.now()) / DAY_MS)));
}

type Trashed = Schemas['TrashedRecord'];
type Kind = Trashed['kind'];
type Query = { workspaceId: string };

interface InTrash extends Pick<Declaration, 'changesWith'> {
  list: (query: Query & { cursor?: string }) => Promise<{ data: Trashed[]; next_cursor: string | null }>;
  restore: (one: { id: string; workspaceId: string }) => Promise<unknown>;
}

/** How deleted records of a kind are listed and restored. */
const inTrash: Record<Kind, InTrash> = {
  decision: {
    changesWith: ['decision.created', 'decision.deleted'],
    list: (query) => api.get('/decisions/trash', query),
    restore: (one) => api.post('/decisions/{id}/restore', one),
  },
  workflow: {
    changesWith: ['workflow.created', 'workflow.deleted'],
    list: (query) => api.get('/workflows/trash', { ...query, kind: 'workflow' }),
    restore: (one) => api.post('/workflows/{id}/restore', one),
  },
  node: {
    changesWith: ['node.created', 'node.deleted', 'nodes.*', 'workflow.created', 'workflow.deleted'],
    list: (query) => api.get('/workflows/trash', { ...query, kind: 'node' }),
    restore: (one) => api.post('/nodes/{id}/restore', one),
  },
  message: {
    changesWith: ['thread.message_created', 'thread.message_deleted', 'messages.imported'],
    list: (query) => api.get('/threads/trash', query),
    restore: (one) => api.post('/threads/messages/{id}/restore', one),
  },
};

const trashKinds = Object.keys(inTrash) as Kind[];

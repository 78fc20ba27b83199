import { Button, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { unwrap, WaymarkError } from '@waymark/client/api';
import { Download, ScrollText } from 'lucide-react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { PlanGate } from '../session/plan-gate.tsx';
import { useWorkspace } from '../session/use-workspace.ts';
import { DownloadState } from '../ui/download/download-state.tsx';
import { useDownload } from '../ui/download/use-download.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PagedList } from '../ui/list/paged-list.tsx';
import { usePaged } from '../ui/list/use-paged.ts';
import { Page } from '../ui/page.tsx';
import { AuditEntries } from './audit-entries.tsx';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { VerifyChain } from './verify-chain.tsx';

const route = getRouteApi('/user/w/$workspaceId/audit');

export function AuditLogPage() {
  const { id: workspaceId } = useWorkspace();
  const filters = route.useSearch();
  const download = useDownload();
  const entries = usePaged({
    queryKey: [...queryKeys.audit(workspaceId), filters],
    fetchPage: (at) =>
      unwrap(api.GET('/audit-log', { params: { query: { workspaceId, ...filters, ...at } } })),
  });
  if (entries.error instanceof WaymarkError && entries.error.code === 'PLAN_GATE') {
    return (
      <Page title="Audit log">
        <PlanGate feature="Audit logs">
          Every change is recorded in a hash chain that reveals later manipulation.
        </PlanGate>
      </Page>
    );
  }
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Audit log"
      actions={
        <Button
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
          disabled={download.isRunning}
          onClick={() =>
            download.start({ name: 'the audit log', path: `/audit-log/export?workspaceId=${workspaceId}` })
          }
        >
          Export NDJSON
        </Button>
      }
    >
      <DownloadState download={download} />
      <VerifyChain />
      <AuditFilterBar />
      <PagedList
        isLive
        query={entries}
        empty={
          isFiltered ? (
            <Text c="dimmed">No entries match the filters.</Text>
          ) : (
            <EmptyState icon={<ScrollText />} title="Nothing has happened yet">
              Every change and every export adds an entry that cannot be removed.
            </EmptyState>
          )
        }
      >
        {(items) => <AuditEntries name={entries.name} entries={items} />}
      </PagedList>
    </Page>
  );
}

import { Button, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { api, hasCode } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { auditTexts as t } from '../texts/audit.ts';
import { DownloadState } from '../ui/download/download-state.tsx';
import { useDownload } from '../ui/download/use-download.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PagedList } from '../ui/list/paged-list.tsx';
import { usePaged } from '../ui/list/use-paged.ts';
import { Page } from '../ui/page.tsx';
import { PlanGate } from '../workspace/plan-gate.tsx';
import { useWorkspace } from '../workspace/use-workspace.ts';
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
    changesWith: 'every event',
    fetchPage: (at) => api.get('/audit-log', { workspaceId, ...filters, ...at }),
  });
  if (hasCode(entries.error, 'PLAN_GATE')) {
    return (
      <Page title={t.title}>
        <PlanGate feature={t.planFeature}>{t.planReason}</PlanGate>
      </Page>
    );
  }
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title={t.title}
      actions={
        <Button
          variant="default"
          title={t.exportHint}
          leftSection={<Download size={16} />}
          disabled={download.isRunning}
          onClick={() =>
            download.start({ name: t.download, path: `/audit-log/export?workspaceId=${workspaceId}` })
          }
        >
          {t.exportEntries}
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
            <Text c="dimmed">{t.noMatch}</Text>
          ) : (
            <EmptyState icon={<ScrollText />} title={t.empty} hint={t.emptyHint} />
          )
        }
      >
        {(items) => <AuditEntries entries={items} />}
      </PagedList>
    </Page>
  );
}

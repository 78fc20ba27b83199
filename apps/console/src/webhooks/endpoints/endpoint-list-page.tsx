import { Button } from '@mantine/core';
import { Plus, Webhook } from 'lucide-react';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { webhooksTexts as t } from '../../texts/webhooks.ts';
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/links.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { Page } from '../../ui/page.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { EndpointState, shownUrl } from './endpoint-state.tsx';
import { NewEndpointDialog } from './new-endpoint-dialog.tsx';

export function EndpointListPage() {
  const { id: workspaceId } = useWorkspace();
  const [isCreating, setCreating] = useNewDialog();
  const webhooks = usePaged({
    queryKey: [...queryKeys.webhooks(workspaceId), 'list'],
    changesWith: ['webhook.*', 'delivery.*'],
    fetchPage: (at) => api.get('/webhooks', { workspaceId, ...at }),
  });
  const create = (
    <Button leftSection={<Plus size={16} />} onClick={() => setCreating(true)}>
      {t.new.title}
    </Button>
  );
  return (
    <Page title={t.title} actions={webhooks.items?.length ? create : null}>
      <PagedList
        query={webhooks}
        empty={<EmptyState icon={<Webhook />} title={t.empty} action={create} hint={t.emptyHint} />}
      >
        {(items) => <EndpointTable webhooks={items} />}
      </PagedList>
      {isCreating && <NewEndpointDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function EndpointTable({ webhooks }: { webhooks: Schemas['Webhook'][] }) {
  return (
    <DataTable columns={t.columns} minWidth={640}>
      {webhooks.map((webhook) => (
        <tr key={webhook.id}>
          <td>
            <TextLink
              size="sm"
              to="/w/$workspaceId/webhooks/$webhookId"
              params={{ workspaceId: webhook.workspace_id, webhookId: webhook.id }}
            >
              {shownUrl(webhook)}
            </TextLink>
            <Hint>{webhook.description}</Hint>
          </td>
          <td>
            <EndpointState webhook={webhook} />
          </td>
          <td title={webhook.events.join(', ')}>
            {webhook.events.length === 1 ? webhook.events[0] : t.eventKinds(webhook.events.length)}
          </td>
          <td>
            <Moment at={webhook.created_at} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

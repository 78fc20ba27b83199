import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { deliveriesTexts as t } from '../../texts/deliveries.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { TextLink } from '../../ui/links.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/text/section.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { DELIVERY_STATUSES, deliveryFiltersOf } from './delivery-filters.ts';
import { DeliveryState } from './delivery-state.tsx';
import { ReplayButton } from './replay-button.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

const route = getRouteApi('/user/w/$workspaceId/webhooks/$webhookId');
const PENDING_REFRESH_MS = 4_000;

/** An endpoint's deliveries, filtered by the URL, newest first. */
export function DeliveryList({ webhook }: { webhook: Schemas['Webhook'] }) {
  const { id: workspaceId } = useWorkspace();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [isReplaying, setReplaying] = useState(false);
  const deliveries = usePaged({
    queryKey: [...queryKeys.webhook(workspaceId, webhook.id), 'deliveries', filters],
    changesWith: 'every event',
    fetchPage: (at) =>
      api.get('/webhooks/{id}/deliveries', { id: webhook.id, workspaceId, ...filters, ...at }),
    refreshMs: (items) => items.some(({ status }) => status === 'pending') && PENDING_REFRESH_MS,
  });
  const filter = (change: Record<string, unknown>) =>
    void navigate({ search: deliveryFiltersOf({ ...filters, ...change }), replace: true });
  return (
    <Section
      title={t.title}
      actions={
        <Group gap="xs" align="flex-end">
          <NativeSelect
            label={t.filters.status}
            data={[
              { value: '', label: ui.all },
              ...DELIVERY_STATUSES.map((value) => ({ value, label: t.status[value] })),
            ]}
            value={filters.status ?? ''}
            onChange={(event) => filter({ status: event.currentTarget.value })}
          />
          <NativeSelect
            label={t.filters.event}
            data={[{ value: '', label: ui.all }, ...webhook.events, 'ping']}
            value={filters.event ?? ''}
            onChange={(event) => filter({ event: event.currentTarget.value })}
          />
          {webhook.enabled && (
            <Button variant="default" onClick={() => setReplaying(true)}>
              {t.replay.title}
            </Button>
          )}
        </Group>
      }
    >
      <PagedList
        isLive
        query={deliveries}
        empty={<Text c="dimmed">{filters.status || filters.event ? t.noMatch : t.empty}</Text>}
      >
        {(items) => (
          <DataTable columns={t.columns} minWidth={640}>
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} canReplay={webhook.enabled} />
            ))}
          </DataTable>
        )}
      </PagedList>
      {isReplaying && <ReplayDialog webhookId={webhook.id} onClose={() => setReplaying(false)} />}
    </Section>
  );
}

/** Renders again only if it has changed: the list can have hundreds. */
const DeliveryRow = memo(function DeliveryRow(props: { delivery: Schemas['Delivery']; canReplay: boolean }) {
  const { delivery, canReplay } = props;
  const { id, workspace_id, webhook_id, event_type, status, attempt, max_attempts, series } = delivery;
  return (
    <tr>
      <td>
        <TextLink
          size="sm"
          to="/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ workspaceId: workspace_id, webhookId: webhook_id, deliveryId: id }}
        >
          {event_type}
        </TextLink>
      </td>
      <td>
        <DeliveryState status={status} />
      </td>
      <td>{t.attemptsOf(attempt, max_attempts, series)}</td>
      <td>
        <Moment at={delivery.created_at} precision="second" />
      </td>
      <td>{canReplay && <ReplayButton delivery={delivery} />}</td>
    </tr>
  );
});

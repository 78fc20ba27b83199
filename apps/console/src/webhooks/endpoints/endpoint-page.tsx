import { Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { deliveriesTexts as t } from '../../texts/deliveries.ts';
import { list, number } from '../../texts/format.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { Tiles } from '../../ui/chart/tiles.tsx';
import { lazyPart } from '../../ui/lazy-page.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { DeliveryList } from '../deliveries/delivery-list.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointState, shownUrl } from './endpoint-state.tsx';

const route = getRouteApi('/user/w/$workspaceId/webhooks/$webhookId');

export function EndpointPage() {
  const t = webhooksTexts.endpoint;
  const { webhookId } = route.useParams();
  const { id: workspaceId } = useWorkspace();
  const webhook = useQuery({
    queryKey: [...queryKeys.webhook(workspaceId, webhookId), 'stats'],
    changesWith: 'every event',
    isSecondary: true,
    queryFn: () => api.get('/webhooks/{id}', { id: webhookId, workspaceId, include: ['stats'] }),
  });
  return (
    <Page
      title={webhook.data ? shownUrl(webhook.data) : t.title}
      back={
        <TextLink size="sm" to="/w/$workspaceId/webhooks" params={{ workspaceId }}>
          {t.all}
        </TextLink>
      }
      actions={webhook.data && <EndpointActions webhook={webhook.data} />}
    >
      <QueryState query={webhook} />
      {webhook.data && (
        <Stack gap="lg" mt="xs">
          <Stack gap="xs">
            <EndpointState webhook={webhook.data} />
            <Hint>
              {webhook.data.description && `${webhook.data.description}. `}
              {t.receives(list(webhook.data.events))}
            </Hint>
            {webhook.data.previous_secret_until && (
              <Text size="sm">{t.rotating(<Moment at={webhook.data.previous_secret_until} />)}</Text>
            )}
          </Stack>
          <DeliveryCounts stats={webhook.data.included!.stats!} />
          <DeliveryList webhook={webhook.data} />
        </Stack>
      )}
    </Page>
  );
}

const AttemptChart = lazyPart(() => import('../deliveries/attempt-chart.tsx'));

/** The chart's height, reserved while it loads so that the deliveries below do not move. */
const CHART_HEIGHT = { base: 620, md: 316 };

/** Not `cancelled`: only a deleted endpoint has such deliveries. */
const COUNTS = ['accepted', 'delivered', 'pending', 'failed', 'held'] as const;

/** The deliveries of an endpoint by state; the numbers add up to all accepted events. */
function DeliveryCounts({ stats }: { stats: Schemas['WebhookStats'] }) {
  return (
    <>
      <Tiles
        tiles={COUNTS.map((id) => ({
          id,
          value: number(stats[id]),
          name: id === 'accepted' ? t.accepted : t.status[id],
          about: (
            <Text size="xs" c="dimmed">
              {t.meanings[id]}
            </Text>
          ),
        }))}
      />
      {stats.history.length !== 0 && (
        <Box mih={CHART_HEIGHT}>
          <LazyPart fallback={<Loading label={t.chart.loading} />}>
            <AttemptChart history={stats.history} />
          </LazyPart>
        </Box>
      )}
    </>
  );
}

import { Box, Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { lazy, Suspense } from 'react';
import { api } from '../../api/client.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { deliveriesTexts as t } from '../../texts/deliveries.ts';
import { number } from '../../texts/format.ts';
import { Loading } from '../../ui/loading.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { webhookKeys } from '../webhook-keys.ts';

const AttemptChart = lazy(() => import('./attempt-chart.tsx'));

/** The chart's height, reserved while it loads so that the deliveries below do not move. */
const CHART_HEIGHT = { base: 620, md: 316 };

/** Not `cancelled`: only a deleted endpoint has such deliveries. */
const COUNTS = ['accepted', 'delivered', 'pending', 'failed', 'held'] as const;

/** The deliveries of an endpoint by state; the numbers add up to all accepted events. */
export function DeliveryCounts({ webhookId }: { webhookId: string }) {
  const { id: workspaceId } = useWorkspace();
  const stats = useQuery({
    queryKey: webhookKeys.stats(workspaceId, webhookId),
    queryFn: () =>
      unwrap(
        api.GET('/webhooks/{id}/stats', { params: { path: { id: webhookId }, query: { workspaceId } } }),
      ),
  });
  if (stats.isError) return <ProblemAlert error={stats.error} retry={() => void stats.refetch()} />;
  return (
    <>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }} spacing="sm">
        {COUNTS.map((name) => (
          <Paper key={name} withBorder p="sm">
            <Text size="xl" fw={600} data-count={name}>
              {stats.data ? number(stats.data[name]) : '…'}
            </Text>
            <Text size="sm">{name === 'accepted' ? t.accepted : t.status[name]}</Text>
            <Text size="xs" c="dimmed">
              {t.meanings[name]}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {stats.data?.history.length !== 0 && (
        <Box mih={CHART_HEIGHT}>
          <Suspense fallback={<Loading label={t.chart.loading} />}>
            {stats.data && <AttemptChart history={stats.data.history} />}
          </Suspense>
        </Box>
      )}
    </>
  );
}

import { Box, Paper, SimpleGrid, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { lazy, Suspense } from 'react';
import { deliveriesTexts as t } from '../../texts/deliveries.ts';
import { number } from '../../texts/format.ts';
import { Loading } from '../../ui/loading.tsx';

const AttemptChart = lazy(() => import('./attempt-chart.tsx'));

/** The chart's height, reserved while it loads so that the deliveries below do not move. */
const CHART_HEIGHT = { base: 620, md: 316 };

/** Not `cancelled`: only a deleted endpoint has such deliveries. */
const COUNTS = ['accepted', 'delivered', 'pending', 'failed', 'held'] as const;

/** The deliveries of an endpoint by state; the numbers add up to all accepted events. */
export function DeliveryCounts({ stats }: { stats: Schemas['WebhookStats'] }) {
  return (
    <>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }} spacing="sm">
        {COUNTS.map((name) => (
          <Paper key={name} withBorder p="sm">
            <Text size="xl" fw={600} data-count={name}>
              {number(stats[name])}
            </Text>
            <Text size="sm" className="tile-name">
              {name === 'accepted' ? t.accepted : t.status[name]}
            </Text>
            <Text size="xs" c="dimmed">
              {t.meanings[name]}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {stats.history.length !== 0 && (
        <Box mih={CHART_HEIGHT}>
          <Suspense fallback={<Loading label={t.chart.loading} />}>
            <AttemptChart history={stats.history} />
          </Suspense>
        </Box>
      )}
    </>
  );
}

import { Progress, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@waymark/client/api';
import { ChartScatter } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { number } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { Tiles } from '../ui/chart/tiles.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/text/section.tsx';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { CalendarFeed } from './calendar-feed.tsx';
import { Calibration } from './calibration.tsx';
import { Forecasters } from './forecasters.tsx';
import { MetricTrend, tenth } from './metric-trend.tsx';
import { OverdueQueue } from './overdue-queue.tsx';
import { ScoreAndSuccess } from './score-and-success.tsx';

/** The workspace's metrics and overdue outcomes. */
export function InsightPage() {
  const { id: workspaceId } = useWorkspace();
  const [weeks, setWeeks] = useState(26);
  const metrics = useQuery({
    queryKey: [...queryKeys.metrics(workspaceId), weeks],
    changesWith: ['decision.*', 'decisions.*'],
    isSecondary: true,
    queryFn: () =>
      api.get('/metrics', { workspaceId, weeks, include: ['history', 'calendar_feed', 'calibration'] }),
    placeholderData: (before) => before,
  });
  return (
    <Page title={insightTexts.title}>
      <QueryState query={metrics} />
      {metrics.data?.decisions_total === 0 && (
        <EmptyState icon={<ChartScatter />} title={insightTexts.empty} hint={insightTexts.emptyHint} />
      )}
      {metrics.data && (
        <Stack gap="xl">
          {metrics.data.decisions_total > 0 && (
            <>
              <WorkspaceMetric metrics={metrics.data} />
              <MetricTrend history={metrics.data.included!.history!} weeks={weeks} choose={setWeeks} />
              <Calibration calibration={metrics.data.calibration} />
              <Forecasters calibration={metrics.data.included!.calibration!} />
              <ScoreAndSuccess compared={metrics.data.score_and_success} />
              <OverdueQueue />
            </>
          )}
          <CalendarFeed feed={metrics.data.included!.calendar_feed!.feed} />
        </Stack>
      )}
    </Page>
  );
}

/** The workspace metric and its counts. */
function WorkspaceMetric({ metrics }: { metrics: Schemas['Metrics'] }) {
  const t = insightTexts.metric;
  const { wms, decisions_total, decisions_with_outcome, overdue, average_quality_score } = metrics;
  const average = average_quality_score === null ? '–' : tenth(average_quality_score);
  return (
    <Section title={t.title} about={t.about}>
      <Tiles
        tiles={[
          {
            id: 'wms',
            value: tenth(wms),
            name: t.value,
            about: <Progress value={wms} mt="xs" aria-label={t.title} />,
          },
          { id: 'decisions', value: number(decisions_total), name: t.decisions },
          { id: 'withOutcome', value: number(decisions_with_outcome), name: t.withOutcome },
          { id: 'overdue', value: number(overdue), name: t.overdue },
          { id: 'quality', value: average, name: t.quality },
        ]}
      />
    </Section>
  );
}

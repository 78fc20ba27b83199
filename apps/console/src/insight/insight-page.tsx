import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChartScatter } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { insightTexts as t } from '../texts/insight.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { CalendarFeed } from './calendar-feed.tsx';
import { Calibration } from './calibration.tsx';
import { Forecasters } from './forecasters.tsx';
import { MetricTrend } from './metric-trend.tsx';
import { OverdueQueue } from './overdue-queue.tsx';
import { ScoreAndSuccess } from './score-and-success.tsx';
import { WorkspaceMetric } from './workspace-metric.tsx';

/** The workspace's metrics and overdue outcomes. */
export function InsightPage() {
  const { id: workspaceId } = useWorkspace();
  const [weeks, setWeeks] = useState(26);
  const metrics = useQuery({
    queryKey: [...queryKeys.metrics(workspaceId), weeks],
    changesWith: ['decision.*', 'decisions.*'],
    isSecondary: true,
    queryFn: () =>
      unwrap(
        api.GET('/metrics', {
          params: { query: { workspaceId, weeks, include: ['history', 'calendar_feed', 'calibration'] } },
        }),
      ),
    placeholderData: (before) => before,
  });
  return (
    <Page title={t.title}>
      <QueryState query={metrics} />
      {metrics.data?.decisions_total === 0 && (
        <EmptyState icon={<ChartScatter />} title={t.empty}>
          {t.emptyHint}
        </EmptyState>
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

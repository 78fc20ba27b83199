import { Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { number } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { dayInWords } from '../ui/text/day.ts';
import { Section } from './section.tsx';
import { TrendPlot } from './trend-plot.tsx';

export type Point = Schemas['MetricsHistory']['data'][number];

const WEEKS = 26;
const tenth = (value: number) => number(value, { maximumFractionDigits: 1 });

/** The workspace metric of the last half year by week. */
export function MetricTrend() {
  const t = insightTexts.trend;
  const { id: workspaceId } = useWorkspace();
  const { ref, width } = useElementSize();
  const history = useQuery({
    queryKey: [...queryKeys.metrics(workspaceId), 'history'],
    queryFn: () => unwrap(api.GET('/metrics/history', { params: { query: { workspaceId, weeks: WEEKS } } })),
  });
  // There is no value before the first decision.
  const points = history.data?.data.filter(({ decisions_total }) => decisions_total > 0) ?? [];
  return (
    <Section title={t.title} about={t.about}>
      <QueryState query={history} />
      {history.data && points.length < 2 && <Text size="sm">{t.tooEarly}</Text>}
      <div ref={ref}>{points.length >= 2 && width > 0 && <TrendPlot points={points} width={width} />}</div>
      {points.length >= 2 && <Numbers points={points} />}
    </Section>
  );
}

function Numbers({ points }: { points: Point[] }) {
  const t = insightTexts.trend;
  const first = points[0]!;
  const last = points.at(-1)!;
  return (
    <>
      <Text size="sm" mt="xs">
        {t.change(tenth(first.wms), dayInWords(first.at), <strong>{tenth(last.wms)}</strong>)}
      </Text>
      <details className="chart">
        <summary>{t.numbers}</summary>
        <DataTable columns={t.columns} minWidth={360} label={t.table}>
          {points.toReversed().map(({ at, wms, decisions_total, decisions_with_outcome }, i) => (
            <tr key={at}>
              <td>{i === 0 ? t.now : dayInWords(at)}</td>
              <td>{tenth(wms)}</td>
              <td>{number(decisions_total)}</td>
              <td>{number(decisions_with_outcome)}</td>
            </tr>
          ))}
        </DataTable>
      </details>
    </>
  );
}

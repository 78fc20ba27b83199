import { NativeSelect, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Schemas } from '@waymark/client/api';
import { number } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { dayInWords } from '../ui/text/day.ts';
import { Section } from '../ui/text/section.tsx';
import { TrendPlot } from './trend-plot.tsx';

export type Point = Schemas['MetricsHistory']['data'][number];

const tenth = (value: number) => number(value, { maximumFractionDigits: 1 });

const PERIODS = [13, 26, 52, 104] as const;

/** The workspace metric by week, over a period that the user chooses. */
export function MetricTrend(props: {
  history: Schemas['MetricsHistory'];
  weeks: number;
  choose: (weeks: number) => void;
}) {
  const { history, weeks, choose } = props;
  const t = insightTexts.trend;
  const { ref, width } = useElementSize();
  // There is no value before the first decision.
  const points = history.data.filter(({ decisions_total }) => decisions_total > 0);
  return (
    <Section title={t.title} about={t.about}>
      <NativeSelect
        aria-label={t.period}
        size="xs"
        w="max-content"
        mb="xs"
        data={PERIODS.map((period) => ({ value: String(period), label: t.periods[period] }))}
        value={String(weeks)}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      />
      {points.length < 2 && <Text size="sm">{t.tooEarly}</Text>}
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

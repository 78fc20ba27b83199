import { NativeSelect, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Schemas } from '@waymark/client/api';
import { number } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { locale } from '../texts/language.ts';
import { usePointed } from '../ui/chart/use-pointed.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { dayInWords } from '../ui/text/day.ts';
import { Section } from '../ui/text/section.tsx';
import '../ui/chart/chart.css';
import './insight.css';

export type Point = Schemas['MetricsHistory']['data'][number];

export const tenth = (value: number) => number(value, { maximumFractionDigits: 1 });

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

const HEIGHT = 216;
const LEFT = 36;
const RIGHT = 12;
const TOP = 26;
const BOTTOM = 28;
const TICKS = [0, 25, 50, 75, 100];
/** Minimum distance between two labels of the axis. */
const LABEL_PIXELS = 90;
/** On a phone, the values need the place of the name of the axis. */
const ROOM_FOR_AXIS = 480;
const DAY = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/**
 * A line chart of the metric at full width with a linear time axis. The running week, which ends with the
 * last point, is dashed. Above the chart stand the values of the point under the pointer, or of the last one.
 */
function TrendPlot({ points, width }: { points: Point[]; width: number }) {
  const t = insightTexts.trend;
  const times = points.map(({ at }) => Date.parse(at));
  const start = times[0]!;
  const span = times.at(-1)! - start;
  const x = (time: number) => LEFT + ((time - start) / span) * (width - LEFT - RIGHT);
  const y = (wms: number) => HEIGHT - BOTTOM - (wms / 100) * (HEIGHT - TOP - BOTTOM);
  const line = points.map(({ wms }, i) => `${x(times[i]!)},${y(wms)}`);
  const area = `${x(start)},${y(0)} ${line.join(' ')} ${x(times.at(-1)!)},${y(0)}`;
  const last = points.length - 1;
  const every = Math.ceil((points.length * LABEL_PIXELS) / width);
  const { pointed, listeners } = usePointed(times.map(x));
  const shown = pointed ?? last;
  const { wms, decisions_total: total, decisions_with_outcome: known } = points[shown]!;
  const when = shown === last ? t.running : DAY.format(times[shown]);
  return (
    <svg
      width={width}
      height={HEIGHT}
      className="chart trend-plot"
      role="img"
      aria-label={t.plot}
      {...listeners}
    >
      {width >= ROOM_FOR_AXIS && (
        <text x={0} y={12}>
          {t.axis}
        </text>
      )}
      <text className="pointed" x={width - RIGHT} y={12} textAnchor="end">
        {t.point(when, Math.round(wms), known, total)}
      </text>
      {TICKS.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      <polygon className="area" points={area} />
      <polyline className="line" points={line.slice(0, last).join(' ')} />
      <polyline className="line" data-running points={line.slice(last - 1).join(' ')} />
      <line className="limit" x1={x(times[shown]!)} x2={x(times[shown]!)} y1={y(100)} y2={y(0)} />
      {points.map(({ at, wms }, i) => (
        <g key={at}>
          <circle cx={x(times[i]!)} cy={y(wms)} r={i === shown ? 5 : 3.5} />
          {(i === last || (i % every === 0 && last - i >= every)) && (
            <text
              x={x(times[i]!)}
              y={HEIGHT - 8}
              textAnchor={i === 0 ? 'start' : i === last ? 'end' : 'middle'}
            >
              {DAY.format(times[i])}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

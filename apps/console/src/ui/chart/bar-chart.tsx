import { Hint } from '../text/hint.ts';
import './chart.css';
import { Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ComponentProps, useId } from 'react';
import { number } from '../../texts/format.ts';
import { uiTexts as t } from '../../texts/ui.ts';
import { DataTable } from '../list/data-table.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { labelStride, ticksUpTo } from './chart-scale.ts';
import { usePointed } from './use-pointed.ts';

export interface Series {
  name: string;
  /** The colour; failures are striped as well. */
  mark: 'good' | 'bad' | 'main' | 'pale';
}

export interface Bar {
  /** Unix time in milliseconds; labels repeat when clocks are set back. */
  at: number;
  /** The time as text. */
  label: string;
  /** The short time for the axis. */
  tick: string;
  /** One value per series. */
  values: number[];
}

/** A bar chart over time with axes, legend, and a table of the same numbers. */
export function BarChart(props: {
  title: string;
  /** The unit of the numbers; the label of the axis. */
  unit: string;
  /** The period of one bar: an hour, a minute. */
  per: string;
  series: Series[];
  /** Oldest first. */
  bars: Bar[];
  /** Whether the series are stacked; else each starts at zero, later ones in front. */
  isStacked?: boolean;
}) {
  const { title, per, series, bars } = props;
  const { ref, width } = useElementSize();
  const id = useId();
  const rows = bars.filter(({ values }) => values.some((value) => value > 0)).toReversed();
  return (
    <figure className="chart" style={{ margin: 0 }} aria-labelledby={id}>
      <Text component="figcaption" id={id} size="sm" fw={600} mb="2xs">
        {title}
      </Text>
      <ChartLegend entries={series} />
      <div ref={ref}>{width > 0 && <ChartBars {...props} width={width} />}</div>
      <details>
        <summary>{t.chart.asTable}</summary>
        {rows.length === 0 ? (
          <Text size="sm">{t.chart.empty(per)}</Text>
        ) : (
          <>
            <DataTable columns={[per, ...series.map(({ name }) => name)]} minWidth={280} label={title}>
              {rows.map(({ at: when, label, values }) => (
                <tr key={when}>
                  <td>{label}</td>
                  {series.map(({ name }, at) => (
                    <td key={name}>{number(values[at] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </DataTable>
            <Hint>{t.chart.others(per)}</Hint>
          </>
        )}
      </details>
    </figure>
  );
}

const HEIGHT = 170;
/** Room for `300.000`: German has no short form of thousands. */
const LEFT = 56;
const RIGHT = 8;
const TOP = 24;
const BOTTOM = 24;
const LABEL_PIXELS = 76;
const SHORT = { notation: 'compact', maximumFractionDigits: 1 } as const;

/** Draws a BarChart at full width, above it the values of the bar under the pointer. */
function ChartBars(props: ComponentProps<typeof BarChart> & { width: number }) {
  const { title, unit, series, bars, isStacked = true, width } = props;
  const stripes = useId();
  const height = ({ values }: Bar) =>
    isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  const ticks = ticksUpTo(Math.max(0, ...bars.map(height)));
  const top = ticks.at(-1)!;
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const step = (width - LEFT - RIGHT) / Math.max(bars.length, 1);
  const stride = labelStride(step, LABEL_PIXELS);
  const { pointed, listeners } = usePointed(bars.map((_, at) => LEFT + (at + 0.5) * step));
  const shown = pointed === null ? undefined : bars[pointed];
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={t.chart.image(title)} {...listeners}>
      <pattern id={stripes} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="stripes-below" width="8" height="8" />
        <line className="stripes" x1="2" x2="2" y1="0" y2="8" />
      </pattern>
      <text x={0} y={12} className={shown && 'pointed'}>
        {shown
          ? `${shown.label}: ${series.map(({ name }, i) => `${number(shown.values[i] ?? 0)} ${name}`).join(', ')}`
          : unit}
      </text>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
            {number(tick, SHORT)}
          </text>
        </g>
      ))}
      {bars.map((bar, at) => {
        const left = LEFT + at * step;
        const fromLast = bars.length - 1 - at;
        // The last label is right-aligned with the axis, so it extends further to the left.
        const hasRoom = fromLast === 0 || fromLast * step >= LABEL_PIXELS * 1.5;
        return (
          <g key={bar.at}>
            {partsOf(bar, series, isStacked).map(({ mark, from, to }) => (
              <rect
                key={mark}
                data-mark={mark}
                {...(mark === 'bad' && { fill: `url(#${stripes})` })}
                x={left + step * 0.1}
                y={y(to)}
                width={step * 0.8}
                height={y(from) - y(to)}
              />
            ))}
            {fromLast % stride === 0 && hasRoom && left >= LEFT + LABEL_PIXELS / 2 - step && (
              <text
                x={fromLast === 0 ? width - RIGHT : left + step / 2}
                y={HEIGHT - 6}
                textAnchor={fromLast === 0 ? 'end' : 'middle'}
              >
                {bar.tick}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** Returns the start and end of each series of a bar, in drawing order. */
function partsOf({ values }: Bar, series: Series[], isStacked: boolean) {
  let below = 0;
  return series.flatMap(({ mark }, at) => {
    const value = values[at] ?? 0;
    const from = isStacked ? below : 0;
    below = from + value;
    return value > 0 ? [{ mark, from, to: from + value }] : [];
  });
}

import './chart.css';
import { Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useId } from 'react';
import { number } from '../../texts/format.ts';
import { uiTexts as t } from '../../texts/ui.ts';
import { DataTable } from '../list/data-table.tsx';
import { ChartBars } from './chart-bars.tsx';
import { ChartLegend } from './chart-legend.tsx';

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
  /** What the numbers count; the label of the axis. */
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
            <Text size="sm" c="dimmed">
              {t.chart.others(per)}
            </Text>
          </>
        )}
      </details>
    </figure>
  );
}

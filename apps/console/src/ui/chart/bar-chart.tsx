import './chart.css';
import { Table, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useId } from 'react';
import { DataTable } from '../list/data-table.tsx';
import { ChartBars } from './chart-bars.tsx';
import { ChartLegend } from './chart-legend.tsx';

export interface Series {
  name: string;
  /** Its color; what is bad is striped, too. */
  mark: 'good' | 'bad' | 'main' | 'pale';
}

export interface Bar {
  /** When, in milliseconds: words repeat as clocks go back. */
  at: number;
  /** When, in words. */
  label: string;
  /** The same as short as it stands below the axis. */
  tick: string;
  /** One of each series. */
  values: number[];
}

/** Bars over time with both axes, their legend, and the same numbers as a table. */
export function BarChart(props: {
  title: string;
  /** What the numbers count: stands at the axis. */
  unit: string;
  /** What one bar is: an hour, a minute. */
  per: string;
  series: Series[];
  /** The oldest first. */
  bars: Bar[];
  /** Whether the series add up; else each begins at zero, the later ones in front. */
  isStacked?: boolean;
  /** Drawn as a line of this name. */
  limit?: { name: string; value: number };
}) {
  const { title, per, series, bars, limit } = props;
  const { ref, width } = useElementSize();
  const id = useId();
  const rows = bars.filter(({ values }) => values.some((value) => value > 0)).toReversed();
  return (
    <figure className="chart" style={{ margin: 0 }} aria-labelledby={id}>
      <Text component="figcaption" id={id} size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <ChartLegend entries={[...series, ...(limit ? [{ name: limit.name, mark: 'limit' }] : [])]} />
      <div ref={ref}>{width > 0 && <ChartBars {...props} width={width} />}</div>
      <details>
        <summary>As a table</summary>
        {rows.length === 0 ? (
          <Text size="sm">Nothing in any {per}.</Text>
        ) : (
          <>
            <DataTable
              columns={[per, ...series.map(({ name }) => name)]}
              minWidth={280}
              spacing="xs"
              label={title}
            >
              {rows.map(({ at: when, label, values }) => (
                <Table.Tr key={when}>
                  <Table.Td>{label}</Table.Td>
                  {series.map(({ name }, at) => (
                    <Table.Td key={name}>{values[at]?.toLocaleString()}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </DataTable>
            <Text size="sm" c="dimmed">
              Nothing in every other {per}.
            </Text>
          </>
        )}
      </details>
    </figure>
  );
}

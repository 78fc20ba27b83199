import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { useState } from 'react';
import { number, percent } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { ChartLegend } from '../ui/chart/chart-legend.tsx';
import { Section } from '../ui/text/section.tsx';
import '../ui/chart/chart.css';
import './insight.css';

type Measured = NonNullable<Schemas['Metrics']['calibration']>;

/** The API has no figure from fewer cases. */
export const CASES_NEEDED = 10;
const shareInWords = (share: number | null) => (share === null ? '–' : percent(share));
const score = (value: number) => number(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** The calibration of forecasts as a plot and a table. */
export function Calibration({ calibration }: { calibration: Schemas['Metrics']['calibration'] }) {
  const t = insightTexts.calibration;
  return (
    <Section title={t.title} about={t.about}>
      {calibration ? (
        <Measures calibration={calibration} />
      ) : (
        <Paper withBorder p="md">
          <Text size="sm">{t.tooFew(CASES_NEEDED)}</Text>
        </Paper>
      )}
    </Section>
  );
}

function Measures({ calibration }: { calibration: Measured }) {
  const t = insightTexts.calibration;
  const { bins, scored, brier_score, base_rate } = calibration;
  return (
    <>
      <Text size="sm" mb="sm">
        {t.brier(
          <strong>{score(brier_score)}</strong>,
          scored,
          percent(base_rate),
          score(base_rate * (1 - base_rate)),
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CalibrationPlot bins={bins} baseRate={base_rate} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone, also by keyboard */}
        <section className="table-scroll" tabIndex={0} aria-label={t.table}>
          <table className="table numbers" style={{ minWidth: 420 }} aria-label={t.table}>
            <thead>
              <tr>
                {t.columns.map((column) => (
                  <th key={column}>{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bins.map(({ from, to, count, mean_forecast, observed_rate }) => (
                <tr key={from}>
                  <td>{t.range(percent(from), percent(to))}</td>
                  <td>{number(count)}</td>
                  <td>{shareInWords(mean_forecast)}</td>
                  <td>{shareInWords(observed_rate)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </SimpleGrid>
    </>
  );
}

type Bin = NonNullable<Schemas['Metrics']['calibration']>['bins'][number];

/** The width of insight.css, so that texts have the same size as in other charts. */
const SIZE = 360;
const EDGE = 46;
const SPAN = SIZE - EDGE - 16;
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const SMALLEST_RADIUS = 4;
const LARGEST_RADIUS = 14;

const x = (share: number) => EDGE + share * SPAN;
const y = (share: number) => SIZE - EDGE - share * SPAN;

/** x: forecast; y: share of successes; point size: number of decisions. */
function CalibrationPlot({ bins, baseRate }: { bins: Bin[]; baseRate: number }) {
  const t = insightTexts.calibration;
  const [pointed, setPointed] = useState('');
  const most = Math.max(...bins.map(({ count }) => count), 1);
  return (
    <div>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className="chart calibration-plot" role="img" aria-label={t.plot}>
        {TICKS.map((tick) => (
          <g key={tick}>
            <line className="grid" x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} />
            <line className="grid" x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} />
            <text x={x(tick)} y={y(0) + 25} textAnchor="middle">
              {tick * 100}
            </text>
            <text x={x(0) - 8} y={y(tick) + 4} textAnchor="end">
              {tick * 100}
            </text>
          </g>
        ))}
        <text x={x(0.5)} y={SIZE - 5} textAnchor="middle">
          {t.forecastAxis}
        </text>
        <text transform={`translate(10 ${y(0.5)}) rotate(-90)`} textAnchor="middle">
          {t.successAxis}
        </text>
        <line className="limit" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
        <line className="base" x1={x(0)} y1={y(baseRate)} x2={x(1)} y2={y(baseRate)} />
        <text className="pointed" x={x(0)} y={11}>
          {pointed}
        </text>
        {bins.map(({ from, count, mean_forecast, observed_rate }) =>
          mean_forecast === null || observed_rate === null ? null : (
            <circle
              key={from}
              className="bin"
              cx={x(mean_forecast)}
              cy={y(observed_rate)}
              r={SMALLEST_RADIUS + (LARGEST_RADIUS - SMALLEST_RADIUS) * Math.sqrt(count / most)}
              onPointerEnter={() =>
                setPointed(t.point(count, percent(mean_forecast), percent(observed_rate)))
              }
              onPointerLeave={() => setPointed('')}
            />
          ),
        )}
      </svg>
      <ChartLegend entries={Object.entries(t.legend).map(([mark, name]) => ({ name, mark }))} />
    </div>
  );
}

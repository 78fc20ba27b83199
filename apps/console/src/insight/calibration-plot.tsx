import type { Schemas } from '@waymark/client/api';
import { ChartLegend } from '../ui/chart/chart-legend.tsx';
import { percent } from './percent.ts';
import '../ui/chart/chart.css';
import './insight.css';

type Bin = NonNullable<Schemas['Metrics']['calibration']>['bins'][number];

const SIZE = 320;
const EDGE = 46;
const SPAN = SIZE - EDGE - 16;
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const LEGEND = [
  { name: 'decisions: the more, the larger', mark: 'point' },
  { name: 'as it was forecast', mark: 'limit' },
  { name: 'share that succeeded overall', mark: 'base' },
];
const SMALLEST_RADIUS = 4;
const LARGEST_RADIUS = 14;

const x = (share: number) => EDGE + share * SPAN;
const y = (share: number) => SIZE - EDGE - share * SPAN;

/** x: forecast; y: share of successes; point size: number of decisions. */
export function CalibrationPlot({ bins, baseRate }: { bins: Bin[]; baseRate: number }) {
  const most = Math.max(...bins.map(({ count }) => count), 1);
  return (
    <>
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        className="chart calibration-plot"
        role="img"
        aria-label="Calibration plot; the table has its numbers"
      >
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
          Forecast, %
        </text>
        <text transform={`translate(10 ${y(0.5)}) rotate(-90)`} textAnchor="middle">
          Succeeded, %
        </text>
        <line className="limit" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
        <line className="base" x1={x(0)} y1={y(baseRate)} x2={x(1)} y2={y(baseRate)} />
        {bins.map(({ from, count, mean_forecast, observed_rate }) =>
          mean_forecast === null || observed_rate === null ? null : (
            <circle
              key={from}
              className="bin"
              cx={x(mean_forecast)}
              cy={y(observed_rate)}
              r={SMALLEST_RADIUS + (LARGEST_RADIUS - SMALLEST_RADIUS) * Math.sqrt(count / most)}
            >
              <title>
                {`${count} decisions: ${percent(mean_forecast)} forecast, ${percent(observed_rate)} succeeded`}
              </title>
            </circle>
          ),
        )}
      </svg>
      <ChartLegend entries={LEGEND} />
    </>
  );
}

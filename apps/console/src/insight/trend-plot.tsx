import { insightTexts } from '../texts/insight.ts';
import { locale } from '../texts/language.ts';
import type { Point } from './metric-trend.tsx';
import '../ui/chart/chart.css';
import './insight.css';

const HEIGHT = 216;
const LEFT = 36;
const RIGHT = 12;
const TOP = 26;
const BOTTOM = 28;
const TICKS = [0, 25, 50, 75, 100];
/** Minimum distance between two labels of the axis. */
const LABEL_PIXELS = 90;
const DAY = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A line chart of the metric at full width with a linear time axis. */
export function TrendPlot({ points, width }: { points: Point[]; width: number }) {
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
  return (
    <svg width={width} height={HEIGHT} className="chart trend-plot" role="img" aria-label={t.plot}>
      <text x={0} y={12}>
        {t.axis}
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
      <polyline className="line" points={line.join(' ')} />
      {points.map(({ at, wms, decisions_total, decisions_with_outcome }, i) => (
        <g key={at}>
          <circle cx={x(times[i]!)} cy={y(wms)} r={3.5}>
            <title>
              {t.point(DAY.format(times[i]), Math.round(wms), decisions_with_outcome, decisions_total)}
            </title>
          </circle>
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

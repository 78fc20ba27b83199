import { useId } from 'react';

interface Bar {
  /** What the bar stands for, in words; shown when the pointer rests on it. */
  label: string;
  /** From the bottom up. */
  parts: { value: number; color: string }[];
}

const WIDTH = 720;
const HEIGHT = 120;

/** Stacked bars side by side, the highest of them as high as the chart; `max` sets the height that stands for all. */
export function BarChart(props: { title: string; bars: Bar[]; max?: number }) {
  const { title, bars } = props;
  const id = useId();
  const total = ({ parts }: Bar) => parts.reduce((sum, { value }) => sum + value, 0);
  const max = Math.max(props.max ?? 1, ...bars.map(total));
  const step = WIDTH / Math.max(bars.length, 1);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width="100%"
      height={HEIGHT}
      preserveAspectRatio="none"
      role="img"
      aria-labelledby={id}
    >
      <title id={id}>{title}</title>
      <line
        x1={0}
        x2={WIDTH}
        y1={HEIGHT}
        y2={HEIGHT}
        stroke="var(--mantine-color-default-border)"
        strokeWidth={2}
      />
      {bars.map((bar, index) => {
        let top = HEIGHT;
        return (
          <g key={bar.label}>
            <title>{bar.label}</title>
            {bar.parts.map(({ value, color }) => {
              const height = (value / max) * HEIGHT;
              top -= height;
              return (
                <rect
                  key={color}
                  x={index * step + step * 0.1}
                  y={top}
                  width={step * 0.8}
                  height={height}
                  fill={`var(--mantine-color-${color}-6)`}
                />
              );
            })}
          </g>
        );
      })}
    </svg>
  );
}

import { SimpleGrid, Text, Title } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { BarChart, type Series } from '../../ui/chart/bar-chart.tsx';

const HOUR_MS = 3_600_000;
const HOURS = 48;
const LONG = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const SHORT = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' });

const OUTCOMES: Series[] = [
  { name: 'succeeded', mark: 'good' },
  { name: 'failed', mark: 'bad' },
];
const LATENCIES: Series[] = [
  { name: '95 of 100 within', mark: 'pale' },
  { name: 'half within', mark: 'main' },
];

/** Results and latency of an endpoint's attempts over the last two days by hour. */
export default function AttemptChart({ history }: { history: Schemas['WebhookHour'][] }) {
  const known = new Map(history.map((hour) => [Date.parse(hour.hour), hour]));
  const last = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const hours = Array.from({ length: HOURS }, (_, i) => last - (HOURS - 1 - i) * HOUR_MS);
  const barsOf = (valuesOf: (hour: Schemas['WebhookHour']) => number[]) =>
    hours.map((at) => {
      const hour = known.get(at);
      return { at, label: LONG.format(at), tick: SHORT.format(at), values: hour ? valuesOf(hour) : [0, 0] };
    });
  const shown = hours.flatMap((at) => known.get(at) ?? []);
  const failed = shown.reduce((sum, hour) => sum + hour.attempts_failed, 0);
  const succeeded = shown.reduce((sum, hour) => sum + hour.attempts_succeeded, 0);
  const slowest = Math.max(0, ...shown.map(({ latency_ms }) => latency_ms.p95));
  return (
    <section aria-labelledby="over-time">
      <Title order={2} size="h4" id="over-time" mb="2xs">
        Attempts of the last two days
      </Title>
      <Text size="sm" mb="sm">
        {succeeded.toLocaleString()} succeeded, {failed.toLocaleString()} failed; in the slowest hour 95 of
        100 had their answer within {slowest.toLocaleString()} ms.
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <BarChart
          title="Attempts per hour by result"
          unit="attempts an hour"
          per="hour"
          series={OUTCOMES}
          bars={barsOf(({ attempts_succeeded, attempts_failed }) => [attempts_succeeded, attempts_failed])}
        />
        <BarChart
          title="Response time by hour"
          unit="milliseconds"
          per="hour"
          series={LATENCIES}
          isStacked={false}
          bars={barsOf(({ latency_ms: { p50, p95 } }) => [p95, p50])}
        />
      </SimpleGrid>
    </section>
  );
}

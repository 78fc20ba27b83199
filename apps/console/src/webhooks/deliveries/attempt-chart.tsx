import { SimpleGrid } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { locale } from '../../texts/language.ts';
import { BarChart, type Series } from '../../ui/chart/bar-chart.tsx';
import { Section } from '../../ui/text/section.tsx';

const HOUR_MS = 3_600_000;
const HOURS = 48;
const LONG = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const SHORT = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit' });

/** Results and latency of an endpoint's attempts over the last two days by hour. */
export default function AttemptChart({ history }: { history: Schemas['WebhookHour'][] }) {
  const t = deliveriesTexts.chart;
  const outcomes: Series[] = [
    { name: t.succeeded, mark: 'good' },
    { name: t.failed, mark: 'bad' },
  ];
  const latencies: Series[] = [
    { name: t.p95, mark: 'pale' },
    { name: t.p50, mark: 'main' },
  ];
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
    <Section title={t.title} about={t.about(succeeded, failed, slowest)}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <BarChart
          title={t.attempts}
          unit={t.attemptsUnit}
          per={t.hour}
          series={outcomes}
          bars={barsOf(({ attempts_succeeded, attempts_failed }) => [attempts_succeeded, attempts_failed])}
        />
        <BarChart
          title={t.latency}
          unit={t.latencyUnit}
          per={t.hour}
          series={latencies}
          isStacked={false}
          bars={barsOf(({ latency_ms: { p50, p95 } }) => [p95, p50])}
        />
      </SimpleGrid>
    </Section>
  );
}

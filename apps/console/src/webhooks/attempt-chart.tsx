import { SimpleGrid, Text, Title } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { BarChart } from '../ui/bar-chart.tsx';

const HOUR_MS = 3_600_000;
const HOURS = 48;
const HOUR = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric' });

/** Outcomes and latency of an endpoint's attempts over the last two days, hour by hour. */
export default function AttemptChart({ history }: { history: Schemas['WebhookHour'][] }) {
  const known = new Map(history.map((hour) => [Date.parse(hour.hour), hour]));
  const last = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const hours = Array.from({ length: HOURS }, (_, i) => last - (HOURS - 1 - i) * HOUR_MS);
  const outcomes = hours.map((at) => {
    const { attempts_succeeded: succeeded = 0, attempts_failed: failed = 0 } = known.get(at) ?? {};
    return {
      label: `${HOUR.format(at)}: ${succeeded} succeeded, ${failed} failed`,
      parts: [
        { value: succeeded, color: 'teal' },
        { value: failed, color: 'red' },
      ],
    };
  });
  const latencies = hours.map((at) => {
    const { p50 = 0, p95 = 0 } = known.get(at)?.latency_ms ?? {};
    return {
      label: `${HOUR.format(at)}: half within ${p50} ms, 95 of 100 within ${p95} ms`,
      parts: [
        { value: p50, color: 'indigo' },
        { value: Math.max(0, p95 - p50), color: 'gray' },
      ],
    };
  });
  const shown = hours.flatMap((at) => known.get(at) ?? []);
  const failed = shown.reduce((sum, hour) => sum + hour.attempts_failed, 0);
  const succeeded = shown.reduce((sum, hour) => sum + hour.attempts_succeeded, 0);
  const slowest = Math.max(0, ...shown.map(({ latency_ms }) => latency_ms.p95));
  return (
    <section aria-labelledby="over-time">
      <Title order={2} size="h4" id="over-time" mb="xs">
        Attempts of the last two days
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <BarChart title="Attempts an hour, by outcome" bars={outcomes} />
          <Text size="sm">
            {succeeded.toLocaleString()} succeeded (green), {failed.toLocaleString()} failed (red)
          </Text>
        </div>
        <div>
          <BarChart title="Latency by hour" bars={latencies} />
          <Text size="sm">
            Time to an answer: half (blue) and 95 of 100 (gray); the slowest hour took{' '}
            {slowest.toLocaleString()} ms
          </Text>
        </div>
      </SimpleGrid>
    </section>
  );
}

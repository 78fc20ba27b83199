import type { Metrics } from '@waymark/service-kit/process';
import type { WebhookStore } from './store/index.ts';

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

const COUNT_EVERY_MS = 15_000;
/** The pause after a count, in durations of the count: counting takes at most 1% of the store's time. */
const REST_TIMES = 100;

export function createWebhookMetrics(
  { counter, gauge, histogram, watchAll }: Metrics,
  { counters }: WebhookStore,
) {
  let counts: Readonly<Record<string, number>> = {};
  let countAgainAtMs = Number.NEGATIVE_INFINITY;
  watchAll(
    'waymark_webhook_deliveries',
    'Deliveries of the whole installation by state, the same on every replica; counted every 15 s at most',
    'state',
    async () => {
      const startedAtMs = performance.now();
      if (startedAtMs < countAgainAtMs) return counts;
      countAgainAtMs = startedAtMs + COUNT_EVERY_MS;
      counts = await counters.totals().catch(() => ({}));
      countAgainAtMs += REST_TIMES * (performance.now() - startedAtMs);
      return counts;
    },
  );
  return {
    oldestDueSeconds: gauge(
      'waymark_webhook_oldest_due_seconds',
      'How long the oldest due delivery has been due, as of the last sweep; grows when there are too few senders',
    ),
    attempts: counter(
      'waymark_webhook_attempts_total',
      'Attempts to deliver, by result; lost: not recorded, because their lease had ended',
      'result',
    ),
    attemptSeconds: histogram(
      'waymark_webhook_attempt_duration_seconds',
      'Time from the start of a POST to the end of its answer',
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    ),
    waitSeconds: histogram(
      'waymark_webhook_first_attempt_wait_seconds',
      'Time from the acceptance of a delivery to its first attempt',
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 300],
    ),
  };
}

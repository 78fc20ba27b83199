import type { Metrics } from '@waymark/service-kit/process';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { WebhookStore } from './store/index.ts';

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

const COUNT_EVERY_MS = 15_000;
/** The pause after a count, in durations of the count: counting takes at most 1% of the store's time. */
const REST_TIMES = 100;

export function createWebhookMetrics({ registry }: Metrics, { counters }: WebhookStore) {
  const registers = [registry];
  let countAgainAtMs = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: 'waymark_webhook_deliveries',
    help: 'Deliveries of the whole installation by state, the same on every replica; counted every 15 s at most',
    labelNames: ['state'],
    registers,
    async collect() {
      const startedAtMs = performance.now();
      if (startedAtMs < countAgainAtMs) return;
      countAgainAtMs = startedAtMs + COUNT_EVERY_MS;
      const counts = await counters.totals().catch(() => null);
      if (!counts) return this.reset();
      for (const [state, n] of Object.entries(counts)) this.set({ state }, n);
      countAgainAtMs += REST_TIMES * (performance.now() - startedAtMs);
    },
  });
  return {
    oldestDueSeconds: new Gauge({
      name: 'waymark_webhook_oldest_due_seconds',
      help: 'How long the oldest due delivery has been due, as of the last sweep; grows when there are too few senders',
      registers,
    }),
    attempts: new Counter({
      name: 'waymark_webhook_attempts_total',
      help: 'Attempts to deliver, by result; lost: not recorded, because their lease had ended',
      labelNames: ['result'],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'waymark_webhook_attempt_duration_seconds',
      help: 'Time from the start of a POST to the end of its answer',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    waitSeconds: new Histogram({
      name: 'waymark_webhook_first_attempt_wait_seconds',
      help: 'Time from the acceptance of a delivery to its first attempt',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 300],
      registers,
    }),
  };
}

import type { Metrics } from '@waymark/service-kit';
import { Counter, Histogram } from 'prom-client';

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

export function createWebhookMetrics({ registry }: Metrics) {
  const registers = [registry];
  return {
    attempts: new Counter({
      name: 'waymark_webhook_attempts_total',
      help: 'Attempts to deliver, by what came of them; lost: recorded under a lease that had passed on',
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

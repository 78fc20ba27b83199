import { type PeriodicTask, periodicTask } from '@waymark/service-kit/jobs';
import type { Logger } from '@waymark/service-kit/process';
import type { WebhookMetrics } from '../metrics.ts';
import type { WebhookStore } from '../store/index.ts';
import type { EndpointQueues } from './endpoint-queues.ts';
import type { Settler } from './settle.ts';

const HOUSEKEEPING_MS = 60_000;

/**
 * Looks in the store for work that no queue knows of: retries that have become due, deliveries whose lease
 * has ended, endpoints whose deliveries are to be held or cancelled. Every replica does this, and claims
 * decide which one sends.
 */
export function createSweeper(options: {
  store: WebhookStore;
  queues: EndpointQueues;
  settler: Settler;
  everyMs: number;
  now: () => number;
  metrics: Pick<WebhookMetrics, 'oldestDueSeconds'>;
  log: Logger;
}): PeriodicTask {
  const { store, queues, settler, everyMs, now, metrics, log } = options;
  let housekeepingAtMs = Number.NEGATIVE_INFINITY;

  async function sweep(): Promise<void> {
    const nowMs = now();
    const time = new Date(nowMs).toISOString();
    let oldestMs = nowMs;
    for (const { due_at, ...endpoint } of await store.claims.dueEndpoints(time)) {
      // Deliveries that wait for their endpoint's own rate are not late: more replicas would not send them
      // sooner.
      if (!queues.isPaced(endpoint.id)) oldestMs = Math.min(oldestMs, Date.parse(due_at));
      queues.wake(endpoint);
    }
    metrics.oldestDueSeconds.set((nowMs - oldestMs) / 1000);
    // Not awaited: a large backlog takes a while, and must not delay retries.
    for (const endpoint of await store.endpoints.settling()) settler.settleSoon(endpoint);
    if (performance.now() - housekeepingAtMs < HOUSEKEEPING_MS) return;
    housekeepingAtMs = performance.now();
    await store.endpoints.dropOldSecrets(time);
    queues.dropIdle();
  }

  return periodicTask({
    everyMs,
    run: sweep,
    onError: (err) => log.warn({ err }, 'the sweep failed; the next one follows'),
  });
}

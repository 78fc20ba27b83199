import type { WebhooksRuntime } from '../context.ts';
import type { EndpointQueues } from './endpoint-queues.ts';
import type { Settler } from './settle.ts';

const HOUSEKEEPING_MS = 60_000;

/**
 * Returns a function that looks in the store for work that no queue knows of: due retries, deliveries whose
 * lease has ended, endpoints to settle. Every replica does this, and claims decide which one sends.
 */
export function createSweep(context: WebhooksRuntime & { queues: EndpointQueues; settler: Settler }) {
  const { store, queues, settler, now, metrics } = context;
  let housekeepingAtMs = Number.NEGATIVE_INFINITY;

  return async (): Promise<void> => {
    const nowMs = now();
    const time = new Date(nowMs).toISOString();
    let oldestMs = nowMs;
    for (const { due_at, ...endpoint } of await store.claims.dueEndpoints(time)) {
      // Deliveries that wait for their endpoint's own rate are not late: more replicas would not help.
      if (!queues.isPaced(endpoint.id)) oldestMs = Math.min(oldestMs, Date.parse(due_at));
      queues.wake(endpoint);
    }
    metrics.oldestDueSeconds.set((nowMs - oldestMs) / 1000);
    // Settling is not awaited: with a large backlog it would delay retries.
    for (const endpoint of await store.endpoints.settling()) settler.settleSoon(endpoint);
    if (performance.now() - housekeepingAtMs < HOUSEKEEPING_MS) return;
    housekeepingAtMs = performance.now();
    await store.endpoints.dropOldSecrets(time);
    queues.dropIdle();
  };
}

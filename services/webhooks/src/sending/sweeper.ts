import type { Logger } from '@waymark/service-kit/process';
import type { WebhookMetrics } from '../metrics.ts';
import type { WebhookStore } from '../store/index.ts';
import type { Lanes } from './endpoint-queues.ts';
import type { Settler } from './settle.ts';

export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
}

const HOUSEKEEPING_MS = 60_000;

/**
 * Looks for what nobody here knows of: retries that have become due, leases of processes that ended, endpoints whose
 * deliveries are still to be held or cancelled. Every replica does, and claims decide who sends.
 */
export function createSweeper(options: {
  store: WebhookStore;
  lanes: Lanes;
  settler: Settler;
  everyMs: number;
  now: () => number;
  metrics: Pick<WebhookMetrics, 'oldestDueSeconds'>;
  log: Logger;
}): Sweeper {
  const { store, lanes, settler, everyMs, now, metrics, log } = options;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let isStopped = false;
  let keptHouseAtMs = Number.NEGATIVE_INFINITY;

  async function sweep(): Promise<void> {
    const nowMs = now();
    const time = new Date(nowMs).toISOString();
    let oldestMs = nowMs;
    for (const { dueAt, ...lane } of await store.claims.dueLanes(time)) {
      // What its endpoint's own rate holds back is not late: no replica more would send it sooner.
      if (!lanes.isPaced(lane.webhookId)) oldestMs = Math.min(oldestMs, Date.parse(dueAt));
      lanes.wake(lane);
    }
    metrics.oldestDueSeconds.set((nowMs - oldestMs) / 1000);
    for (const { id, workspace_id } of await store.endpoints.settling()) {
      // A large backlog takes a while: retries do not wait for it.
      settler
        .settle({ webhookId: id, workspaceId: workspace_id })
        .catch((error) => log.warn({ err: error, webhook_id: id }, 'not settled yet; tried again'));
    }
    if (performance.now() - keptHouseAtMs < HOUSEKEEPING_MS) return;
    keptHouseAtMs = performance.now();
    await store.endpoints.forgetOldSecrets(time);
    lanes.tidy();
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      sweeping = sweep()
        .catch((error) => log.warn({ err: error }, 'sweep failed; it runs again'))
        .then(() => {
          if (!isStopped) schedule(everyMs);
        });
    }, delayMs);
  }

  return {
    start() {
      if (!isStopped) schedule(0);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}

import type { Database } from '@waymark/service-kit/store';
import { type DueLane, inTransaction, type WebhookStore } from '../store/index.ts';

const PER_TRANSACTION = 500;

export interface Settler {
  /** Resolves when nothing is left to settle, or when it is stopped. */
  settle(lane: DueLane): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Holds what is pending for a disabled endpoint, cancels what is left of a deleted one, and does nothing for one that
 * takes deliveries. What is being sent just now comes up again when that is over.
 */
export function createSettler(options: {
  database: Database;
  store: WebhookStore;
  now: () => number;
}): Settler {
  const { database, store, now } = options;
  const running = new Map<string, Promise<void>>();
  let isStopped = false;

  /** Whether there may be more. */
  function settleSome(lane: DueLane): Promise<boolean> {
    return inTransaction(database, async (session) => {
      const endpoint = await store.endpoints.byId(lane.webhookId, session);
      const isGone = !endpoint || endpoint.deleted_at !== null;
      if (!isGone && !(await store.endpoints.guardDisabled(lane.webhookId, session))) return false;
      const to = isGone ? 'cancelled' : 'held';
      const time = new Date(now()).toISOString();
      const moved = await store.deliveries.settle(lane, to, { limit: PER_TRANSACTION, now: time, session });
      if (moved > 0) return true;
      if (endpoint?.settling && !(await store.deliveries.hasPending(lane.webhookId, session))) {
        await store.endpoints.settled(lane.webhookId, session);
      }
      return false;
    });
  }

  async function settleAll(lane: DueLane): Promise<void> {
    while (!isStopped && (await settleSome(lane)));
  }

  return {
    settle(lane) {
      const known = running.get(lane.webhookId);
      if (known) return known;
      const settled = settleAll(lane).finally(() => running.delete(lane.webhookId));
      running.set(lane.webhookId, settled);
      return settled;
    },
    async stop() {
      isStopped = true;
      await Promise.allSettled(running.values());
    },
  };
}

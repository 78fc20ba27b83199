import { inTransaction } from '@waymark/service-kit/store';
import type { WebhooksRuntime } from '../context.ts';
import type { EndpointKey } from '../store/index.ts';

const PER_TRANSACTION = 500;

export type Settler = ReturnType<typeof createSettler>;

/**
 * Holds the pending deliveries of a disabled endpoint, and cancels those of a deleted one. Deliveries that
 * are being sent are settled after their attempt.
 */
export function createSettler({ database, store, now, log }: WebhooksRuntime) {
  const running = new Map<string, Promise<void>>();
  let isStopped = false;

  /** Settles some deliveries, and returns whether there may be more. */
  function settleSome(key: EndpointKey): Promise<boolean> {
    return inTransaction(database.client, async (session) => {
      const endpoint = await store.endpoints.byId(key.id, session);
      const isDeleted = !endpoint || endpoint.deleted_at !== null;
      if (!isDeleted && !(await store.endpoints.guardDisabled(key.id, session))) return false;
      const options = { limit: PER_TRANSACTION, now: new Date(now()).toISOString(), session };
      if ((await store.deliveries.settle(key, isDeleted ? 'cancelled' : 'held', options)) > 0) return true;
      if (endpoint?.settling && !(await store.deliveries.hasPending(key.id, session))) {
        await store.endpoints.settled(key.id, session);
      }
      return false;
    });
  }

  async function settleAll(endpoint: EndpointKey): Promise<void> {
    while (!isStopped && (await settleSome(endpoint)));
  }

  /** Resolves when nothing is left to settle, or when the settler stops. */
  function settle(endpoint: EndpointKey): Promise<void> {
    const known = running.get(endpoint.id);
    if (known) return known;
    const settled = settleAll(endpoint).finally(() => running.delete(endpoint.id));
    running.set(endpoint.id, settled);
    return settled;
  }

  return {
    settle,
    /** Settles in the background; after a failure the sweep repeats it. */
    settleSoon(endpoint: EndpointKey): void {
      settle(endpoint).catch((err) => {
        log.warn(
          { err, webhook_id: endpoint.id },
          'deliveries were not held or cancelled; the sweep does it',
        );
      });
    },
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.allSettled(running.values());
    },
  };
}

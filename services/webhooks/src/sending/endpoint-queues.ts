import { concurrencyLimiter, fairShare } from '@waymark/service-kit/jobs';
import type { ClaimedDelivery, EndpointKey, EndpointRecord } from '../store/index.ts';
import { EndpointQueue, type QueueContext, releaseClaimed } from './endpoint-queue.ts';
import { BY_WORKSPACE, createMemoryBudget } from './memory-budget.ts';

export type EndpointQueues = ReturnType<typeof createEndpointQueues>;

interface NewDelivery {
  endpoint: EndpointRecord;
  delivery: { payload: string };
}

const IDLE_MS = 60_000;

/**
 * One queue per endpoint, each with its own concurrency and rate: a slow endpoint fills its own queue and
 * delays no other.
 */
export function createEndpointQueues(
  options: Omit<QueueContext, 'limiter' | 'memory' | 'isStopped' | 'running'>,
) {
  const { leases, limits, log } = options;
  const queues = new Map<string, EndpointQueue>();
  let isStopped = false;
  const memory = createMemoryBudget();
  const context: QueueContext = {
    ...options,
    memory,
    limiter: concurrencyLimiter({
      share: fairShare<EndpointQueue>({
        total: limits.totalConcurrency,
        perTenant: limits.workspaceConcurrency,
        ...BY_WORKSPACE,
      }),
      tenantOf: ({ workspace_id }) => workspace_id,
      begin: (queue) => queue.pump(),
    }),
    isStopped: () => isStopped,
    running: new Set(),
  };

  function queueOf(endpoint: EndpointKey): EndpointQueue {
    const known = queues.get(endpoint.id);
    if (known) return known;
    const queue = new EndpointQueue(context, endpoint);
    queues.set(endpoint.id, queue);
    return queue;
  }

  async function releaseOrWarn(claimed: ClaimedDelivery[]): Promise<void> {
    await releaseClaimed(context, claimed).catch((err) =>
      log.warn({ err }, 'leases on waiting deliveries were not released; they end soon'),
    );
  }

  return {
    /**
     * Returns those of new deliveries that this process would send soon; none if older ones wait in the
     * store.
     */
    fitting<D extends NewDelivery>(deliveries: D[]): D[] {
      if (isStopped) return [];
      const reserved = new Map<EndpointQueue, number>();
      const fitting = deliveries.filter(({ endpoint, delivery: { payload } }) => {
        const queue = queueOf(endpoint);
        const count = reserved.get(queue) ?? 0;
        if (!queue.hasRoomFor(endpoint, payload.length, count)) return false;
        reserved.set(queue, count + 1);
        memory.take(queue, payload.length);
        return true;
      });
      // They take the memory again when they are offered.
      for (const { endpoint, delivery } of fitting) memory.give(queueOf(endpoint), delivery.payload.length);
      return fitting;
    },
    /**
     * Takes a delivery that this process has leased, and sends it. The endpoint was read at `readAtMs`
     * (performance.now). A process that stops releases the lease instead, and the promise resolves after
     * that.
     */
    async offer(endpoint: EndpointRecord, readAtMs: number, claimed: ClaimedDelivery): Promise<void> {
      if (isStopped) return releaseOrWarn([claimed]);
      const queue = queueOf(endpoint);
      queue.permission.keep(endpoint, readAtMs);
      queue.add([claimed]);
    },
    /** Tells a queue that the store has due deliveries for the endpoint. */
    wake(endpoint: EndpointKey): void {
      if (!isStopped) queueOf(endpoint).wake();
    },
    /**
     * Whether due deliveries wait for the endpoint's own rate, or for another process that holds its lease.
     */
    isPaced: (webhookId: string) => queues.get(webhookId)?.isPaced() ?? false,
    /** Makes the queue read the endpoint's settings again before the next attempt. */
    invalidate: (webhookId: string) => queues.get(webhookId)?.permission.invalidate(),
    /** Drops queues that have nothing to do. */
    dropIdle(): void {
      leases.dropEnded();
      for (const queue of queues.values()) {
        if (queue.isIdle() && queue.permission.ageMs() > IDLE_MS) queues.delete(queue.id);
      }
    },
    /** Releases the leases of waiting deliveries, and resolves when the attempts under way are recorded. */
    async stop(): Promise<void> {
      isStopped = true;
      const released = releaseOrWarn([...queues.values()].flatMap((queue) => queue.empty()));
      while (context.running.size > 0) await Promise.all(context.running);
      await released;
      await leases
        .releaseAll()
        .catch((err) =>
          log.warn({ err }, 'leases on endpoints were not released; other replicas wait for their end'),
        );
    },
  };
}

import { createAdmission } from '@waymark/service-kit/jobs';
import { failureLog, type Metrics } from '@waymark/service-kit/process';
import type { ClaimedDelivery, EndpointKey, EndpointRecord } from '../store/index.ts';
import { CLAIM_CHARACTERS, EndpointQueue, type QueueContext, releaseClaimed } from './endpoint-queue.ts';

export type EndpointQueues = ReturnType<typeof createEndpointQueues>;

const IDLE_MS = 60_000;
/** The memory for payloads, in characters: 5/8 of a pod at two bytes a character. */
const MEMORY = 160 * 1024 ** 2;

/** A queue per endpoint with its own concurrency and rate, so that a slow endpoint delays no other. */
export function createEndpointQueues(
  options: Omit<QueueContext, 'attempts' | 'memory' | 'isStopped' | 'interruptions' | 'running'> & {
    metrics: Pick<Metrics, 'admission'>;
  },
) {
  const { leases, limits, log, metrics } = options;
  const queues = new Map<string, EndpointQueue>();
  let isStopped = false;
  const memory = createAdmission({
    ...metrics.admission('webhook_payloads'),
    what: 'memory for webhooks',
    total: MEMORY,
    small: CLAIM_CHARACTERS,
  });
  const context: QueueContext = {
    ...options,
    memory,
    attempts: createAdmission({
      ...metrics.admission('webhook_attempts'),
      what: 'webhook attempts',
      total: limits.totalConcurrency,
      most: limits.workspaceConcurrency,
    }),
    isStopped: () => isStopped,
    interruptions: failureLog(log, 'sending was interrupted; the sweep resumes it'),
    running: new Set(),
  };

  function queueOf(endpoint: EndpointKey): EndpointQueue {
    const known = queues.get(endpoint.id);
    if (known) return known;
    const queue = new EndpointQueue(context, endpoint);
    queues.set(endpoint.id, queue);
    return queue;
  }

  return {
    /** Returns the new deliveries that this process would send soon. */
    fitting<D extends { endpoint: EndpointRecord; delivery: { payload: string } }>(deliveries: D[]): D[] {
      if (isStopped) return [];
      const reserved = new Map<EndpointQueue, number>();
      const frees: (() => void)[] = [];
      const fitting = deliveries.filter(({ endpoint, delivery: { payload } }) => {
        const queue = queueOf(endpoint);
        const count = reserved.get(queue) ?? 0;
        if (!queue.hasRoomFor(endpoint, payload.length, count)) return false;
        reserved.set(queue, count + 1);
        frees.push(queue.reserve(payload.length));
        return true;
      });
      // The deliveries reserve the memory again when they are offered.
      for (const free of frees) free();
      return fitting;
    },
    /**
     * Sends a delivery that this process has leased. The endpoint was read at `readAtMs` (performance.now). A
     * process that stops releases the lease instead, before the promise resolves.
     */
    async offer(endpoint: EndpointRecord, readAtMs: number, claimed: ClaimedDelivery): Promise<void> {
      if (isStopped) return releaseClaimed(context, [claimed]);
      const queue = queueOf(endpoint);
      queue.permission.keep(endpoint, readAtMs);
      queue.add([claimed]);
    },
    wake(endpoint: EndpointKey): void {
      if (!isStopped) queueOf(endpoint).wake();
    },
    isPaced: (webhookId: string) => queues.get(webhookId)?.isPaced() ?? false,
    invalidate: (webhookId: string) => queues.get(webhookId)?.permission.invalidate(),
    dropIdle(): void {
      for (const queue of queues.values()) {
        if (queue.isIdle() && queue.permission.ageMs() > IDLE_MS) queues.delete(queue.id);
      }
    },
    /** Releases the leases of waiting deliveries, and resolves when the attempts under way are recorded. */
    async stop(): Promise<void> {
      isStopped = true;
      const waiting = [...queues.values()].flatMap((queue) => queue.empty());
      const released = releaseClaimed(context, waiting);
      while (context.running.size > 0) await Promise.all(context.running);
      await released;
      await leases.release([...queues.keys()]).catch((err) => {
        log.warn({ err }, 'leases on endpoints were not released; other replicas wait for their end');
      });
    },
  };
}

import { newId } from '@waymark/contracts';
import type { EndpointKey, EndpointRecord, WebhookStore } from '../store/index.ts';

export type EndpointLeases = ReturnType<typeof createEndpointLeases>;

/** The second that a rate refers to, and another one for clocks that differ a little. */
const REST_MS = 2_000;

/**
 * Leases on endpoints that have their own rate: only the process with the lease sends to such an endpoint, so
 * the rate holds over all replicas (docs/decisions/0019-one-sender-at-a-time.md). Attempts begin only while
 * `leaseNeededMs` are left, enough to end and be recorded: attempts of two processes never overlap, and a
 * dead process delays at most `leaseMs`.
 */
export function createEndpointLeases(options: {
  store: WebhookStore;
  leaseMs: number;
  leaseNeededMs: number;
  now: () => number;
}) {
  const { leaseMs, leaseNeededMs, now } = options;
  const { endpoints } = options.store;
  const id = newId();
  const held = new Map<string, { endpoint: EndpointKey; untilMs: number }>();
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  /** Whether another process held the lease when the endpoint was read. */
  const isHeldElsewhere = ({ sender }: EndpointRecord) =>
    sender !== null && sender.id !== id && sender.until > iso(now());

  return {
    /** Whether this process may begin an attempt now; always true for an endpoint without its own rate. */
    maySend(endpoint: EndpointRecord): boolean {
      if (endpoint.max_per_second === null) return true;
      const lease = held.get(endpoint.id);
      return lease !== undefined && lease.untilMs - now() >= leaseNeededMs;
    },
    isHeldElsewhere,
    /** Acquires or prolongs the lease; returns false while another process holds it. */
    async acquire(endpoint: EndpointRecord): Promise<boolean> {
      if (isHeldElsewhere(endpoint)) return false;
      const nowMs = now();
      const untilMs = nowMs + leaseMs;
      const isAcquired = await endpoints.acquireLease(endpoint, { id, until: iso(untilMs) }, iso(nowMs));
      if (isAcquired) held.set(endpoint.id, { endpoint, untilMs });
      else held.delete(endpoint.id);
      return isAcquired;
    },
    /** Forgets leases that have ended. */
    dropEnded(): void {
      for (const [webhookId, { untilMs }] of held) if (untilMs <= now()) held.delete(webhookId);
    },
    /** Ends all leases soon. No attempt may be under way. */
    async releaseAll(): Promise<void> {
      const keys = [...held.values()].map(({ endpoint }) => endpoint);
      held.clear();
      await endpoints.shortenLeases(keys, { id, until: iso(now() + REST_MS) });
    },
  };
}

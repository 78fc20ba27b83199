import { newId } from '@waymark/contracts';
import type { WebhooksRuntime } from '../context.ts';
import type { EndpointRecord } from '../store/index.ts';

export type EndpointLeases = ReturnType<typeof createEndpointLeases>;

/** The second of a rate, and another one because replicas know MongoDB's clock to the second. */
const REST_MS = 2_000;

/**
 * Leases on endpoints with their own rate: only the holder sends, so the rate holds over all replicas
 * (docs/decisions/0019-endpoint-lease.md). Attempts begin only while `leaseNeededMs` are left, enough
 * to end and be recorded, so attempts of two processes never overlap.
 */
export function createEndpointLeases(
  options: Pick<WebhooksRuntime, 'store' | 'now'> & { leaseMs: number; leaseNeededMs: number },
) {
  const { leaseMs, leaseNeededMs, now } = options;
  const { endpoints } = options.store;
  const id = newId();
  /** When the leases of this process end, by endpoint. */
  const held = new Map<string, number>();
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  /** Whether another process held the lease when the endpoint was read. */
  const isHeldElsewhere = ({ sender }: EndpointRecord) =>
    sender !== null && sender.id !== id && sender.until > iso(now());

  return {
    /** Whether this process may begin an attempt now; always true for an endpoint without its own rate. */
    maySend(endpoint: EndpointRecord): boolean {
      if (endpoint.max_per_second === null) return true;
      return (held.get(endpoint.id) ?? 0) - now() >= leaseNeededMs;
    },
    isHeldElsewhere,
    /** Takes or renews the lease; returns false while another process holds it. */
    async acquire(endpoint: EndpointRecord): Promise<boolean> {
      if (isHeldElsewhere(endpoint)) return false;
      const nowMs = now();
      const untilMs = nowMs + leaseMs;
      const isAcquired = await endpoints.acquireLease(endpoint, { id, until: iso(untilMs) }, iso(nowMs));
      if (isAcquired) held.set(endpoint.id, untilMs);
      else held.delete(endpoint.id);
      return isAcquired;
    },
    dropEnded(): void {
      for (const [webhookId, untilMs] of held) if (untilMs <= now()) held.delete(webhookId);
    },
    /** Releases all leases, which end soon. No attempt may be under way. */
    async releaseAll(): Promise<void> {
      const ids = [...held.keys()];
      held.clear();
      await endpoints.shortenLeases(ids, { id, until: iso(now() + REST_MS) });
    },
  };
}

import { newId } from '@waymark/contracts';
import type { WebhooksRuntime } from '../context.ts';
import type { EndpointRecord } from '../store/index.ts';

export type EndpointLeases = ReturnType<typeof createEndpointLeases>;

/** The second of a rate, and another one because replicas know MongoDB's clock to the second. */
const REST_MS = 2_000;

/**
 * Leases on endpoints with their own rate: only the sender that an endpoint names sends, so the rate
 * holds over all replicas (docs/decisions/0019-endpoint-lease.md). Attempts begin only while
 * `leaseNeededMs` are left, enough to end and be recorded, so attempts of two processes never overlap.
 */
export function createEndpointLeases(
  options: Pick<WebhooksRuntime, 'store' | 'now'> & { leaseMs: number; leaseNeededMs: number },
) {
  const { leaseMs, leaseNeededMs, now } = options;
  const { endpoints } = options.store;
  const id = newId();
  const inMs = (ms: number) => new Date(now() + ms).toISOString();
  /** Whether another process held the lease when the endpoint was read. */
  const isHeldElsewhere = ({ sender }: EndpointRecord) =>
    sender !== null && sender.id !== id && sender.until > inMs(0);

  return {
    /** Whether this process may begin an attempt now; always true for an endpoint without its own rate. */
    maySend: ({ max_per_second, sender }: EndpointRecord): boolean =>
      max_per_second === null || (sender?.id === id && sender.until >= inMs(leaseNeededMs)),
    isHeldElsewhere,
    /** Takes or renews the lease; returns false while another process holds it. */
    async acquire(endpoint: EndpointRecord): Promise<boolean> {
      if (isHeldElsewhere(endpoint)) return false;
      const sender = { id, until: inMs(leaseMs) };
      const isAcquired = await endpoints.acquireLease(endpoint, sender, inMs(0));
      if (isAcquired) endpoint.sender = sender;
      return isAcquired;
    },
    /** Releases the leases on these endpoints, which end soon. No attempt may be under way. */
    release: (webhookIds: string[]) => endpoints.shortenLeases(webhookIds, { id, until: inMs(REST_MS) }),
  };
}

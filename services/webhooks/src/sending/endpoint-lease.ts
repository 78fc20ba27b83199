import { newId } from '@waymark/contracts';
import type { EndpointRecord, WebhookStore } from '../store/index.ts';

/** An endpoint with a rate of its own has one sender at a time, of all replicas, so that its rate is that of all. */
export interface SoleSender {
  /** Whether this process may begin an attempt now. Of endpoints without a rate of their own, each always may. */
  maySend(endpoint: EndpointRecord): boolean;
  /** Whether another process is the sender, as far as was read. */
  isAnother(endpoint: EndpointRecord): boolean;
  /** Becomes the sender, or stays it for longer; false while another process is. */
  become(endpoint: EndpointRecord): Promise<boolean>;
  /** Forgets of what it is no longer the sender. */
  tidy(): void;
  /** Lets others go on soon, when nothing of this process is on its way any more. */
  resign(): Promise<void>;
}

/** The second that a rate speaks of, and another for clocks that differ a little. */
const REST_MS = 2_000;

/**
 * A sender has the endpoint under a lease like that of a delivery: it begins attempts only while there is time left for them
 * to end and be recorded. So those of two senders never overlap, and a process that died stops nothing for longer than its lease.
 */
export function createSoleSender(options: {
  store: WebhookStore;
  leaseMs: number;
  leaseNeededMs: number;
  now: () => number;
}): SoleSender {
  const { store, leaseMs, leaseNeededMs, now } = options;
  const id = newId();
  const held = new Map<string, { workspaceId: string; untilMs: number }>();
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  const isAnother = ({ sender }: EndpointRecord) =>
    sender !== undefined && sender.id !== id && sender.until > iso(now());

  return {
    maySend(endpoint) {
      if (endpoint.max_per_second === null) return true;
      const { untilMs } = held.get(endpoint.id) ?? { untilMs: Number.NEGATIVE_INFINITY };
      return untilMs - now() >= leaseNeededMs;
    },
    isAnother,
    async become(endpoint) {
      if (isAnother(endpoint)) return false;
      const nowMs = now();
      const untilMs = nowMs + leaseMs;
      const isOurs = await store.endpoints.appointSender(endpoint, { id, until: iso(untilMs) }, iso(nowMs));
      if (isOurs) held.set(endpoint.id, { workspaceId: endpoint.workspace_id, untilMs });
      else held.delete(endpoint.id);
      return isOurs;
    },
    tidy() {
      for (const [webhookId, { untilMs }] of held) if (untilMs <= now()) held.delete(webhookId);
    },
    async resign() {
      const lanes = [...held].map(([webhookId, { workspaceId }]) => ({ webhookId, workspaceId }));
      held.clear();
      await store.endpoints.resignSender(lanes, { id, until: iso(now() + REST_MS) });
    },
  };
}

import { type EventEnvelope, events, newId } from '@waymark/contracts';
import { createBatcher } from '@waymark/service-kit/jobs';
import { isFaultOfOne } from '@waymark/service-kit/store';
import type { EndpointQueues } from '../sending/endpoint-queues.ts';
import { retryWhile } from '../sending/retry-while.ts';
import type { ClaimedDelivery, DeliveryRecord, EndpointRecord, WebhookStore } from '../store/index.ts';
import { areSameEndpoints, createEndpointCache } from './endpoint-cache.ts';
import { newDelivery, payloadOf } from './new-delivery.ts';

type WorkspaceEvent = EventEnvelope & { workspace_id: string };

/** An event that is being handled. */
interface Handled {
  event: WorkspaceEvent;
  traceparent: string | undefined;
  /** Its deliveries that were offered to queues, by id. They may not be stored yet. */
  offered: Map<string, ClaimedDelivery>;
  /** Resolve when the queues have taken the deliveries, or released their leases. */
  accepted: Promise<void>[];
  /** Resolves when its deliveries are stored, or this process has given up storing them. */
  stored: Promise<void>;
}

/** Endpoints, read from the store since `atMs` (performance.now). */
interface Reading {
  atMs: number;
  endpoints: Promise<EndpointRecord[]>;
}

interface Planned {
  delivery: DeliveryRecord;
  handled: Handled;
  endpoint: EndpointRecord;
}

interface FanOutOptions {
  store: WebhookStore;
  queues: EndpointQueues;
  maxAttempts: number;
  leaseMs: number;
  now: () => number;
}

const EVENTS_PER_BATCH = 128;
const DELIVERIES_PER_TRANSACTION = 500;
const WORKSPACES_CACHED = 5_000;
/** Event times come from other machines; a slow clock there must not make a new endpoint miss events. */
const CLOCKS_DIFFER_MS = 5_000;

/**
 * Returns the handler that stores one delivery of an event for each endpoint that subscribes to it.
 * Deliveries that their queue has room for are stored with a lease of this process, and sent as soon as no
 * other process can store them, before the commit (docs/decisions/0018-sending-ahead-of-the-commit.md).
 */
export function createFanOut(
  options: FanOutOptions,
): (event: EventEnvelope, traceparent?: string) => Promise<void> {
  const { leaseMs, now } = options;
  const batches = createBatcher<Handled>({
    run: createBatchFanOut(options),
    maxSize: EVENTS_PER_BATCH,
    retryApart: { when: isFaultOfOne },
  });
  const underWay = new Map<string, Promise<void>>();

  async function handle(event: WorkspaceEvent, traceparent: string | undefined): Promise<void> {
    const { promise: stored, resolve } = Promise.withResolvers<void>();
    const handled: Handled = { event, traceparent, offered: new Map(), accepted: [], stored };
    const untilMs = now() + leaseMs;
    // Once a delivery is under way, storing is repeated until its lease ends. After that another replica
    // would send the delivery again.
    const mayRetry = () => handled.offered.size > 0 && now() < untilMs;
    await retryWhile(mayRetry, () => batches.add(handled)).finally(resolve);
    await Promise.all(handled.accepted);
  }

  return async (event, traceparent) => {
    const { id, workspace_id } = event;
    if (workspace_id === null || !events[event.type].webhook) return;
    // NATS redelivers an event that waits for the store.
    if (!underWay.has(id)) {
      const handling = handle({ ...event, workspace_id }, traceparent).finally(() => underWay.delete(id));
      underWay.set(id, handling);
    }
    await underWay.get(id);
  };
}

/**
 * Returns the function that stores the deliveries of several events together, and offers them to the queues.
 */
function createBatchFanOut(options: FanOutOptions): (batch: Handled[]) => Promise<void> {
  const { store, queues, maxAttempts, leaseMs, now } = options;
  const cache = createEndpointCache(WORKSPACES_CACHED);

  function readEndpoints(workspaceIds: string[]): Reading {
    const reading = { atMs: performance.now(), endpoints: store.endpoints.ofWorkspaces(workspaceIds) };
    reading.endpoints.then(
      (endpoints) => cache.set(workspaceIds, endpoints),
      // The error is reported where the reading is awaited, unless the store failed elsewhere before.
      () => undefined,
    );
    return reading;
  }

  /**
   * Stores deliveries that were planned for `assumed`, and offers the leased ones to their queues. Returns
   * false, and does neither, when the reading shows other endpoints.
   */
  async function storeAndOffer(planned: Planned[], reading: Reading, assumed: EndpointRecord[]) {
    leaseFitting(planned, queues, { lease: newId(), leasedUntilMs: now() + leaseMs });
    const deliveries = planned.map(({ delivery }) => delivery);
    const inserted = await store.deliveries.insertNew(deliveries, async (ids) => {
      const endpoints = await reading.endpoints;
      if (!areSameEndpoints(assumed, endpoints)) return false;
      offerInserted(planned, ids, queues, reading.atMs, endpoints);
      return true;
    });
    if (!inserted) return false;
    for (const { delivery, endpoint } of planned) {
      if (inserted.has(delivery.id) && !delivery.lease) queues.wake(endpoint);
    }
    return true;
  }

  /**
   * Reads the endpoints every time, so that none is missed, but begins with the cached ones instead of
   * waiting.
   */
  return async (batch) => {
    const workspaceIds = [...new Set(batch.map(({ event }) => event.workspace_id))];
    const cached = cache.get(workspaceIds);
    const reading = readEndpoints(workspaceIds);
    const plan = (endpoints: EndpointRecord[]) =>
      planDeliveries(batch, endpoints, maxAttempts, new Date(now()).toISOString());
    if (cached) {
      const planned = plan(cached);
      const isOne = planned.length > 0 && planned.length <= DELIVERIES_PER_TRANSACTION;
      if (isOne && (await storeAndOffer(planned, reading, cached))) return;
    }
    const endpoints = await reading.endpoints;
    const planned = plan(endpoints);
    for (let i = 0; i < planned.length; i += DELIVERIES_PER_TRANSACTION) {
      await storeAndOffer(planned.slice(i, i + DELIVERIES_PER_TRANSACTION), reading, endpoints);
    }
  };
}

/**
 * Whether an endpoint gets an event: it subscribes, it existed at the event's time (with a tolerance for
 * clocks), and it is not the event's subject.
 */
function wants(endpoint: EndpointRecord, { type, time, workspace_id, subject }: WorkspaceEvent): boolean {
  return (
    endpoint.workspace_id === workspace_id &&
    endpoint.events.includes(type) &&
    Date.parse(endpoint.created_at) <= Date.parse(time) + CLOCKS_DIFFER_MS &&
    subject.id !== endpoint.id
  );
}

function planDeliveries(
  batch: Handled[],
  endpoints: EndpointRecord[],
  maxAttempts: number,
  now: string,
): Planned[] {
  return batch.flatMap((handled) => {
    const { event, traceparent } = handled;
    const wanted = endpoints.filter((endpoint) => wants(endpoint, event));
    if (wanted.length === 0) return [];
    const payload = payloadOf(event, event.workspace_id);
    const text = JSON.stringify(payload);
    return wanted.map((endpoint) => {
      const delivery = newDelivery({ payload, text, endpoint, maxAttempts, now, traceparent });
      return { delivery, handled, endpoint };
    });
  });
}

/**
 * Leases the deliveries that their queue has room for. A delivery that was offered before keeps its lease. A
 * delivery to a disabled endpoint gets none, because its queue will hold it.
 */
function leaseFitting(
  planned: Planned[],
  queues: EndpointQueues,
  ours: { lease: string; leasedUntilMs: number },
): void {
  const isNew = ({ delivery, handled, endpoint }: Planned) =>
    endpoint.enabled && !handled.offered.has(delivery.id);
  const fitting = new Set(queues.fitting(planned.filter(isNew)));
  for (const one of planned) {
    const { delivery, handled } = one;
    const held = handled.offered.get(delivery.id) ?? (fitting.has(one) ? ours : null);
    if (!held) continue;
    Object.assign(delivery, { lease: held.lease, due_at: new Date(held.leasedUntilMs).toISOString() });
  }
}

/**
 * Offers the leased deliveries among the inserted ones to their queues; once, although a transaction may be
 * repeated.
 */
function offerInserted(
  planned: Planned[],
  inserted: Set<string>,
  queues: EndpointQueues,
  readAtMs: number,
  endpoints: EndpointRecord[],
): void {
  const current = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  for (const { delivery, handled } of planned) {
    const { attempts: _, ...fields } = delivery;
    const { id, lease } = fields;
    if (!inserted.has(id) || !lease || handled.offered.has(id)) continue;
    const leasedUntilMs = Date.parse(delivery.due_at!);
    const claimed = { ...fields, lease, leasedUntilMs, stored: handled.stored };
    handled.offered.set(id, claimed);
    handled.accepted.push(queues.offer(current.get(delivery.webhook_id)!, readAtMs, claimed));
  }
}

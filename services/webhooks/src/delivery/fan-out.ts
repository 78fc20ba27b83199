import { type EventEnvelope, events, newId } from '@waymark/contracts';
import type { StreamPosition } from '@waymark/service-kit/events';
import { createBatcher } from '@waymark/service-kit/jobs';
import { isFaultOfOne } from '@waymark/service-kit/store';
import { isForPeople } from '../chat/chat-body.ts';
import type { WebhooksRuntime } from '../context.ts';
import type { EndpointQueues } from '../sending/endpoint-queues.ts';
import { retryWhile } from '../sending/retry-while.ts';
import type { ClaimedDelivery, DeliveryRecord, EndpointRecord } from '../store/index.ts';
import { newDelivery, payloadOf } from './new-delivery.ts';

type WorkspaceEvent = EventEnvelope & { workspace_id: string };

interface Handled {
  event: WorkspaceEvent;
  traceparent: string | undefined;
  position: StreamPosition;
  /** The event's deliveries that were offered to queues, by id. They may not be stored yet. */
  offered: Map<string, ClaimedDelivery>;
  /** Promises that resolve when the queues have taken the deliveries, or released their leases. */
  accepted: Promise<void>[];
  /** Resolves when the event's deliveries are stored, or this process has given up storing them. */
  stored: Promise<void>;
}

interface Planned {
  delivery: DeliveryRecord;
  handled: Handled;
  endpoint: EndpointRecord;
}

type FanOutOptions = Pick<WebhooksRuntime, 'store' | 'now'> & {
  queues: EndpointQueues;
  maxAttempts: number;
  leaseMs: number;
};

const EVENTS_PER_BATCH = 128;
const DELIVERIES_PER_TRANSACTION = 500;
/** More than the clocks of two services differ. */
const CLOCKS_APART_MS = 2 * 3_600_000;

/**
 * Returns the handler that stores a delivery for each endpoint that subscribes to an event. Deliveries with
 * room in their queue are leased, and sent before the commit as soon as no other process can store them
 * (docs/decisions/0018-webhooks-before-commit.md).
 */
export function createFanOut(
  options: FanOutOptions,
): (event: EventEnvelope, traceparent: string | undefined, position: StreamPosition) => Promise<void> {
  const { leaseMs, now } = options;
  const batches = createBatcher<Handled>({
    run: createBatchFanOut(options),
    maxSize: EVENTS_PER_BATCH,
    isFaultOfOne,
  });
  const underWay = new Map<string, Promise<void>>();

  async function handle(from: Pick<Handled, 'event' | 'traceparent' | 'position'>): Promise<void> {
    const { promise: stored, resolve } = Promise.withResolvers<void>();
    const handled: Handled = { ...from, offered: new Map(), accepted: [], stored };
    const untilMs = now() + leaseMs;
    // A delivery that is being sent must be stored before its lease ends and another replica may send it.
    const mayRetry = () => handled.offered.size > 0 && now() < untilMs;
    await retryWhile(mayRetry, () => batches.add(handled)).finally(resolve);
    await Promise.all(handled.accepted);
  }

  return async (event, traceparent, position) => {
    const { id, workspace_id } = event;
    if (workspace_id === null || !events[event.type].webhook) return;
    // NATS redelivers an event that waits for the store.
    if (!underWay.has(id)) {
      const from = { event: { ...event, workspace_id }, traceparent, position };
      const handling = handle(from).finally(() => underWay.delete(id));
      underWay.set(id, handling);
    }
    await underWay.get(id);
  };
}

/** Returns the function that stores the deliveries of several events together and offers them to queues. */
function createBatchFanOut(options: FanOutOptions): (batch: Handled[]) => Promise<void> {
  const { store, queues, maxAttempts, leaseMs, now } = options;

  async function storeAndOffer(planned: Planned[], readAtMs: number): Promise<void> {
    leaseFitting(planned, queues, { lease: newId(), leasedUntilMs: now() + leaseMs });
    const deliveries = planned.map(({ delivery }) => delivery);
    const inserted = await store.deliveries.insertNew(deliveries, (ids) =>
      offerInserted(planned, ids, queues, readAtMs),
    );
    for (const { delivery, endpoint } of planned) {
      if (inserted.has(delivery.id) && !delivery.lease) queues.wake(endpoint);
    }
  }

  return async (batch) => {
    const workspaceIds = [...new Set(batch.map(({ event }) => event.workspace_id))];
    const readAtMs = performance.now();
    const endpoints = await store.endpoints.ofWorkspaces(workspaceIds);
    const planned = batch.flatMap((handled): Planned[] => {
      const { event, traceparent } = handled;
      const wanted = endpoints.filter((endpoint) => wants(endpoint, handled));
      if (wanted.length === 0) return [];
      const payload = payloadOf(event, event.workspace_id);
      const text = JSON.stringify(payload);
      const { type, name } = event.actor;
      const who = type === 'service' ? null : name;
      const common = { payload, text, who, maxAttempts, now: new Date(now()).toISOString(), traceparent };
      return wanted.map((endpoint) => ({
        endpoint,
        handled,
        delivery: newDelivery({ ...common, endpoint }),
      }));
    });
    for (let i = 0; i < planned.length; i += DELIVERIES_PER_TRANSACTION)
      await storeAndOffer(planned.slice(i, i + DELIVERIES_PER_TRANSACTION), readAtMs);
  };
}

/** Whether an endpoint gets an event: never an event about itself, or from before its creation. */
function wants(endpoint: EndpointRecord, handled: Handled): boolean {
  const { type, workspace_id, subject } = handled.event;
  return (
    endpoint.workspace_id === workspace_id &&
    endpoint.events.includes(type) &&
    isAfter(endpoint, handled) &&
    (endpoint.format === 'waymark' || isForPeople(handled.event)) &&
    subject.id !== endpoint.id
  );
}

/**
 * Whether an event follows the creation of an endpoint: by the order of the stream, because clocks may
 * differ. A NATS that was set back repeats sequences; then an event that is much later follows too.
 */
function isAfter({ created_after, created_at }: EndpointRecord, { event, position }: Handled): boolean {
  return (
    created_after === null ||
    position.stream !== created_after.stream ||
    position.sequence > created_after.sequence ||
    Date.parse(event.time) - Date.parse(created_at) > CLOCKS_APART_MS
  );
}

/** Leases the deliveries with room in their queue. A delivery that was offered before keeps its lease. */
function leaseFitting(
  planned: Planned[],
  queues: EndpointQueues,
  ours: { lease: string; leasedUntilMs: number },
): void {
  // A disabled endpoint sends nothing, so its queue would only fill.
  const isNew = ({ delivery, handled, endpoint }: Planned) =>
    endpoint.enabled && !handled.offered.has(delivery.id);
  const fitting = new Set(queues.fitting(planned.filter(isNew)));
  for (const one of planned) {
    const { delivery, handled } = one;
    const held = handled.offered.get(delivery.id) ?? (fitting.has(one) ? ours : null);
    if (!held) continue;
    delivery.lease = held.lease;
    delivery.due_at = new Date(held.leasedUntilMs).toISOString();
  }
}

/** Offers the inserted deliveries that are leased, once each, although the transaction may be repeated. */
function offerInserted(
  planned: Planned[],
  inserted: Set<string>,
  queues: EndpointQueues,
  readAtMs: number,
): void {
  for (const { delivery, handled, endpoint } of planned) {
    const { attempts: _, ...fields } = delivery;
    const { id, lease } = fields;
    if (!inserted.has(id) || !lease || handled.offered.has(id)) continue;
    const claimed = { ...fields, lease, leasedUntilMs: Date.parse(fields.due_at!), stored: handled.stored };
    handled.offered.set(id, claimed);
    handled.accepted.push(queues.offer(endpoint, readAtMs, claimed));
  }
}

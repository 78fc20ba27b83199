import { type EventEnvelope, events, newId } from '@waymark/contracts';
import type { StreamPosition } from '@waymark/service-kit/events';
import { createBatcher } from '@waymark/service-kit/jobs';
import { isFaultOfOne } from '@waymark/service-kit/store';
import type { WebhooksRuntime } from '../context.ts';
import type { EndpointQueues } from '../sending/endpoint-queues.ts';
import type { DeliveryRecord, EndpointRecord } from '../store/index.ts';
import { newDelivery, payloadOf } from './new-delivery.ts';

interface ReceivedEvent {
  event: EventEnvelope & { workspace_id: string };
  traceparent: string | undefined;
  position: StreamPosition;
}

interface Planned {
  delivery: DeliveryRecord;
  endpoint: EndpointRecord;
}

type FanOutOptions = Pick<WebhooksRuntime, 'store' | 'now'> & {
  queues: EndpointQueues;
  maxAttempts: number;
  leaseMs: number;
};

const EVENTS_PER_BATCH = 128;
const DELIVERIES_PER_TRANSACTION = 500;

/**
 * Returns the handler that stores a delivery for each endpoint that subscribes to an event. Those that their
 * queue has room for are leased, and sent as soon as they are stored.
 */
export function createFanOut(
  options: FanOutOptions,
): (event: EventEnvelope, traceparent: string | undefined, position: StreamPosition) => Promise<void> {
  const batches = createBatcher<ReceivedEvent>({
    run: (batch) => fanOut(options, batch),
    maxSize: EVENTS_PER_BATCH,
    retryApart: { when: isFaultOfOne },
  });
  const underWay = new Map<string, Promise<void>>();

  return async (event, traceparent, position) => {
    const { id, workspace_id } = event;
    if (workspace_id === null || !events[event.type].webhook) return;
    // NATS redelivers an event that waits for the store.
    if (!underWay.has(id)) {
      const stored = batches.add({ event: { ...event, workspace_id }, traceparent, position });
      underWay.set(
        id,
        stored.finally(() => underWay.delete(id)),
      );
    }
    await underWay.get(id);
  };
}

/** Stores the deliveries of several events together. */
async function fanOut(options: FanOutOptions, batch: ReceivedEvent[]): Promise<void> {
  const readAtMs = performance.now();
  const workspaceIds = [...new Set(batch.map(({ event }) => event.workspace_id))];
  // Read for every batch, so that no endpoint is missed.
  const endpoints = await options.store.endpoints.ofWorkspaces(workspaceIds);
  const planned = batch.flatMap((received) => plan(options, received, endpoints));
  for (let i = 0; i < planned.length; i += DELIVERIES_PER_TRANSACTION)
    await storeAndSend(options, planned.slice(i, i + DELIVERIES_PER_TRANSACTION), readAtMs);
}

function plan(
  { maxAttempts, now }: FanOutOptions,
  received: ReceivedEvent,
  endpoints: EndpointRecord[],
): Planned[] {
  const wanted = endpoints.filter((endpoint) => wants(endpoint, received));
  if (wanted.length === 0) return [];
  const { event, traceparent } = received;
  const payload = payloadOf(event, event.workspace_id);
  const text = JSON.stringify(payload);
  const common = { payload, text, maxAttempts, now: new Date(now()).toISOString(), traceparent };
  return wanted.map((endpoint) => ({ endpoint, delivery: newDelivery({ ...common, endpoint }) }));
}

/** Stores deliveries, those that their queue has room for with a lease, and passes new ones to the queues. */
async function storeAndSend(
  { store, queues, leaseMs, now }: FanOutOptions,
  planned: Planned[],
  readAtMs: number,
): Promise<void> {
  const lease = newId();
  const leasedUntilMs = now() + leaseMs;
  // The queue of a disabled endpoint would hold its deliveries.
  for (const { delivery } of queues.fitting(planned.filter(({ endpoint }) => endpoint.enabled)))
    Object.assign(delivery, { lease, due_at: new Date(leasedUntilMs).toISOString() });
  const inserted = await store.deliveries.insertNew(planned.map(({ delivery }) => delivery));
  for (const { delivery, endpoint } of planned) {
    const { attempts: _, ...fields } = delivery;
    if (!inserted.has(delivery.id)) continue;
    if (delivery.lease) await queues.offer(endpoint, readAtMs, { ...fields, lease, leasedUntilMs });
    else queues.wake(endpoint);
  }
}

/** Whether an endpoint gets an event: never one about itself, or from before it existed. */
function wants(endpoint: EndpointRecord, { event, position }: ReceivedEvent): boolean {
  const { type, workspace_id, subject } = event;
  return (
    endpoint.workspace_id === workspace_id &&
    endpoint.events.includes(type) &&
    isAfter(position, endpoint.created_after) &&
    subject.id !== endpoint.id
  );
}

/** By the order of the stream: the times of event and endpoint come from clocks that may differ. */
function isAfter(position: StreamPosition, after: StreamPosition | null): boolean {
  return after === null || position.stream !== after.stream || position.sequence > after.sequence;
}

import { type EventEnvelope, events, newId } from '@waymark/contracts';
import { groupCommit } from './group-commit.ts';
import type { Lanes } from './lanes.ts';
import { newDelivery } from './new-delivery.ts';
import { payloadOf } from './payload.ts';
import { claimOf, type DeliveryRecord, type EndpointRecord, type WebhookStore } from './store.ts';

type WorkspaceEvent = EventEnvelope & { workspace_id: string };

const EVENTS_PER_GROUP = 128;
const DELIVERIES_PER_TRANSACTION = 500;

/** A delivery to be stored, with the endpoint that it goes to. */
interface Planned {
  delivery: DeliveryRecord;
  endpoint: EndpointRecord;
}

/**
 * Turns an event into one delivery for each endpoint that subscribes to it and is older; resolves when they are stored.
 * Those that its lane has room for are stored under a lease of ours and sent at once, without another look at the store.
 */
export function createFanOut(options: {
  store: WebhookStore;
  lanes: Lanes;
  maxAttempts: number;
  leaseMs: number;
  now: () => number;
}): (event: EventEnvelope) => Promise<void> {
  const { store, lanes, maxAttempts, leaseMs, now } = options;

  function plan(group: WorkspaceEvent[], endpoints: EndpointRecord[]): Planned[] {
    const time = new Date(now()).toISOString();
    return group.flatMap((event) => {
      const takers = endpoints.filter((endpoint) => wants(endpoint, event));
      if (takers.length === 0) return [];
      const text = payloadOf(event, event.workspace_id);
      const origin = { id: event.id, type: event.type, created_at: event.time };
      return takers.map((endpoint) => {
        const delivery = newDelivery({ event: origin, text, endpoint, maxAttempts, now: time });
        return { delivery, endpoint };
      });
    });
  }

  async function storeAndOffer(planned: Planned[], readAtMs: number): Promise<void> {
    const lease = newId();
    const untilMs = now() + leaseMs;
    const leased = leaseWhatFits(planned, lanes, { lease, due_at: new Date(untilMs).toISOString() });
    const fresh = await store.deliveries.insertNew(planned.map(({ delivery }) => delivery));
    for (const { delivery, endpoint } of planned) {
      if (!fresh.has(delivery.id)) continue;
      if (leased.has(delivery)) lanes.offer(endpoint, readAtMs, [claimOf(delivery, lease, untilMs)]);
      else lanes.wake({ webhookId: endpoint.id, workspaceId: endpoint.workspace_id });
    }
  }

  async function fanOut(group: WorkspaceEvent[]): Promise<undefined[]> {
    const byId = new Map(group.map((event) => [event.id, event]));
    const readAtMs = performance.now();
    const workspaceIds = [...new Set(group.map((event) => event.workspace_id))];
    const planned = plan([...byId.values()], await store.endpoints.ofWorkspaces(workspaceIds));
    for (let i = 0; i < planned.length; i += DELIVERIES_PER_TRANSACTION) {
      await storeAndOffer(planned.slice(i, i + DELIVERIES_PER_TRANSACTION), readAtMs);
    }
    return group.map(() => undefined);
  }

  const add = groupCommit(fanOut, EVENTS_PER_GROUP);
  return async (event) => {
    if (event.workspace_id === null || !events[event.type].webhook) return;
    await add({ ...event, workspace_id: event.workspace_id });
  };
}

/** Whether an endpoint gets an event: subscribed, no younger than it, and not itself what the event is about. */
function wants(endpoint: EndpointRecord, { type, time, workspace_id, subject }: WorkspaceEvent): boolean {
  return (
    endpoint.workspace_id === workspace_id &&
    endpoint.events.includes(type) &&
    endpoint.created_at <= time &&
    subject.id !== endpoint.id
  );
}

/** Puts a lease on what the lanes have room for; a disabled endpoint's lane holds what comes. */
function leaseWhatFits(
  planned: Planned[],
  lanes: Lanes,
  fields: { lease: string; due_at: string },
): Set<DeliveryRecord> {
  const room = new Map<string, number>();
  const leased = new Set<DeliveryRecord>();
  for (const { delivery, endpoint } of planned) {
    const left = room.get(endpoint.id) ?? (endpoint.enabled ? lanes.room(endpoint) : 0);
    room.set(endpoint.id, left - 1);
    if (left <= 0) continue;
    Object.assign(delivery, fields);
    leased.add(delivery);
  }
  return leased;
}

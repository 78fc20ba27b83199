import { type EventEnvelope, events, newId } from '@waymark/contracts';
import { groupCommit } from '@waymark/service-kit';
import type { Lanes } from './lanes.ts';
import { newDelivery } from './new-delivery.ts';
import { payloadOf } from './payload.ts';
import { areSameEndpoints, rememberEndpoints } from './remembered-endpoints.ts';
import { claimOf, type DeliveryRecord, type EndpointRecord, type WebhookStore } from './store.ts';

type WorkspaceEvent = EventEnvelope & { workspace_id: string };
/** With the trace that it came in. */
type TracedEvent = WorkspaceEvent & { traceparent: string | undefined };

const EVENTS_PER_GROUP = 128;
const DELIVERIES_PER_TRANSACTION = 500;
const WORKSPACES_REMEMBERED = 5_000;
/** Events have their time from other machines: whose clock is behind must not make a new endpoint miss what follows it. */
const CLOCKS_DIFFER_MS = 5_000;

/** Endpoints on their way from the store, asked for at `atMs` (performance.now). */
interface Reading {
  atMs: number;
  endpoints: Promise<EndpointRecord[]>;
}

/** A delivery to be stored, with the endpoint that it goes to. */
interface Planned {
  delivery: DeliveryRecord;
  endpoint: EndpointRecord;
}

/**
 * Turns an event into one delivery for each endpoint that subscribes to it and is no younger; resolves when they are stored.
 * Those that its lane has room for are stored under a lease of ours and sent at once, without another look at the store.
 */
export function createFanOut(options: {
  store: WebhookStore;
  lanes: Lanes;
  maxAttempts: number;
  leaseMs: number;
  now: () => number;
}): (event: EventEnvelope, traceparent?: string) => Promise<void> {
  const { store, lanes, maxAttempts, leaseMs, now } = options;
  const remembered = rememberEndpoints(WORKSPACES_REMEMBERED);

  function plan(group: TracedEvent[], endpoints: EndpointRecord[]): Planned[] {
    const time = new Date(now()).toISOString();
    return group.flatMap((event) => {
      const takers = endpoints.filter((endpoint) => wants(endpoint, event));
      if (takers.length === 0) return [];
      const text = payloadOf(event, event.workspace_id);
      const origin = { id: event.id, type: event.type, created_at: event.time };
      return takers.map((endpoint) => {
        const { traceparent } = event;
        const delivery = newDelivery({ event: origin, text, endpoint, maxAttempts, now: time, traceparent });
        return { delivery, endpoint };
      });
    });
  }

  /** Stores what was planned, and has this process send what it may; false, and nothing, if `reading` shows otherwise. */
  async function storeAndOffer(
    planned: Planned[],
    reading: Reading,
    guess: EndpointRecord[],
  ): Promise<boolean> {
    const lease = newId();
    const untilMs = now() + leaseMs;
    const leased = leaseWhatFits(planned, lanes, { lease, due_at: new Date(untilMs).toISOString() });
    const isStillRight = async () => areSameEndpoints(guess, await reading.endpoints);
    const deliveries = planned.map(({ delivery }) => delivery);
    const fresh = await store.deliveries.insertNew(deliveries, isStillRight);
    if (!fresh) return false;
    const endpoints = new Map((await reading.endpoints).map((endpoint) => [endpoint.id, endpoint]));
    const offered: Promise<void>[] = [];
    for (const delivery of deliveries) {
      if (!fresh.has(delivery.id)) continue;
      const endpoint = endpoints.get(delivery.webhook_id)!;
      if (leased.has(delivery))
        offered.push(lanes.offer(endpoint, reading.atMs, [claimOf(delivery, lease, untilMs)]));
      else lanes.wake({ webhookId: endpoint.id, workspaceId: endpoint.workspace_id });
    }
    await Promise.all(offered);
    return true;
  }

  function readEndpoints(workspaceIds: string[]): Reading {
    const reading = { atMs: performance.now(), endpoints: store.endpoints.ofWorkspaces(workspaceIds) };
    // Whoever awaits it is told too; nobody may, when the store fails elsewhere first.
    reading.endpoints.then(
      (endpoints) => remembered.keep(workspaceIds, endpoints),
      () => undefined,
    );
    return reading;
  }

  /** The endpoints are read each time, so that none is missed; but for a single transaction, nothing waits for it. */
  async function fanOut(group: TracedEvent[]): Promise<undefined[]> {
    const done = group.map(() => undefined);
    const unique = [...new Map(group.map((event) => [event.id, event])).values()];
    const workspaceIds = [...new Set(group.map((event) => event.workspace_id))];
    const guess = remembered.of(workspaceIds);
    const reading = readEndpoints(workspaceIds);
    const guessed = guess ? plan(unique, guess) : [];
    if (guess && guessed.length > 0 && guessed.length <= DELIVERIES_PER_TRANSACTION) {
      if (await storeAndOffer(guessed, reading, guess)) return done;
    }
    const endpoints = await reading.endpoints;
    const planned = plan(unique, endpoints);
    for (let i = 0; i < planned.length; i += DELIVERIES_PER_TRANSACTION) {
      await storeAndOffer(planned.slice(i, i + DELIVERIES_PER_TRANSACTION), reading, endpoints);
    }
    return done;
  }

  const add = groupCommit(fanOut, EVENTS_PER_GROUP);
  return async (event, traceparent) => {
    if (event.workspace_id === null || !events[event.type].webhook) return;
    await add({ ...event, workspace_id: event.workspace_id, traceparent });
  };
}

/** Whether an endpoint gets an event: subscribed, no younger than it as far as clocks tell, and not itself what it is about. */
function wants(endpoint: EndpointRecord, { type, time, workspace_id, subject }: WorkspaceEvent): boolean {
  return (
    endpoint.workspace_id === workspace_id &&
    endpoint.events.includes(type) &&
    Date.parse(endpoint.created_at) <= Date.parse(time) + CLOCKS_DIFFER_MS &&
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

import { setTimeout as delay } from 'node:timers/promises';
import { type EventEnvelope, events, newId } from '@waymark/contracts';
import { createBatcher } from '@waymark/service-kit/jobs';
import { isFaultOfOne } from '@waymark/service-kit/store';
import type { Lanes } from '../sending/endpoint-queues.ts';
import {
  type ClaimedDelivery,
  claimOf,
  type DeliveryRecord,
  type EndpointRecord,
  type WebhookStore,
} from '../store/index.ts';
import { areSameEndpoints, rememberEndpoints } from './endpoint-cache.ts';
import { newDelivery } from './new-delivery.ts';
import { payloadOf } from './payload.ts';

type WorkspaceEvent = EventEnvelope & { workspace_id: string };
/** An event that is being handled, with the trace that it came in. */
type Handled = WorkspaceEvent & {
  traceparent: string | undefined;
  /** What of it was offered to lanes, stored or not, by the delivery's id. */
  offered: Map<string, ClaimedDelivery>;
  /** Resolve when each of these is in good hands. */
  handedOver: Promise<void>[];
  /** Resolves when its deliveries are stored, or this process has given up storing them. */
  stored: Promise<void>;
};

const EVENTS_PER_GROUP = 128;
const DELIVERIES_PER_TRANSACTION = 500;
const WORKSPACES_REMEMBERED = 5_000;
const STORE_RETRY_MS = 200;
/** Events have their time from other machines: whose clock is behind must not make a new endpoint miss what follows it. */
const CLOCKS_DIFFER_MS = 5_000;

/** Endpoints on their way from the store, asked for at `atMs` (performance.now). */
interface Reading {
  atMs: number;
  endpoints: Promise<EndpointRecord[]>;
}

/** A delivery to be stored, with what it is of and the endpoint that it goes to. */
interface Planned {
  delivery: DeliveryRecord;
  event: Handled;
  endpoint: EndpointRecord;
}

/**
 * Turns an event into one delivery for each endpoint that subscribes to it and is no younger; resolves when they are stored.
 * Those that its lane has room for are stored under a lease of ours and sent as soon as nobody else can store them, without
 * waiting for the commit (docs/decisions/0018-sending-ahead-of-the-commit.md).
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

  function plan(group: Handled[], endpoints: EndpointRecord[]): Planned[] {
    const time = new Date(now()).toISOString();
    return group.flatMap((event) => {
      const takers = endpoints.filter((endpoint) => wants(endpoint, event));
      if (takers.length === 0) return [];
      const text = payloadOf(event, event.workspace_id);
      const origin = { id: event.id, type: event.type, created_at: event.time };
      return takers.map((endpoint) => {
        const { traceparent } = event;
        const delivery = newDelivery({ event: origin, text, endpoint, maxAttempts, now: time, traceparent });
        return { delivery, event, endpoint };
      });
    });
  }

  /** Stores what was planned, and has this process send what it may; false, and nothing, if `reading` shows otherwise. */
  async function storeAndOffer(
    planned: Planned[],
    reading: Reading,
    guess: EndpointRecord[],
  ): Promise<boolean> {
    leaseWhatFits(planned, lanes, { lease: newId(), leasedUntilMs: now() + leaseMs });
    const offerIfRight = async (fresh: Set<string>) => {
      const current = await reading.endpoints;
      if (!areSameEndpoints(guess, current)) return false;
      const endpoints = new Map(current.map((endpoint) => [endpoint.id, endpoint]));
      for (const { delivery, event } of planned) {
        const { id, lease, due_at } = delivery;
        // A transaction may be tried again.
        if (!fresh.has(id) || !lease || event.offered.has(id)) continue;
        const claimed = { ...claimOf(delivery, lease, Date.parse(due_at!)), stored: event.stored };
        event.offered.set(id, claimed);
        event.handedOver.push(lanes.offer(endpoints.get(delivery.webhook_id)!, reading.atMs, [claimed]));
      }
      return true;
    };
    const deliveries = planned.map(({ delivery }) => delivery);
    const fresh = await store.deliveries.insertNew(deliveries, offerIfRight);
    if (!fresh) return false;
    for (const { id, lease, webhook_id, workspace_id } of deliveries) {
      if (fresh.has(id) && !lease) lanes.wake({ webhookId: webhook_id, workspaceId: workspace_id });
    }
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
  async function fanOut(group: Handled[]): Promise<void> {
    const workspaceIds = [...new Set(group.map((event) => event.workspace_id))];
    const guess = remembered.of(workspaceIds);
    const reading = readEndpoints(workspaceIds);
    const guessed = guess ? plan(group, guess) : [];
    if (guess && guessed.length > 0 && guessed.length <= DELIVERIES_PER_TRANSACTION) {
      if (await storeAndOffer(guessed, reading, guess)) return;
    }
    const endpoints = await reading.endpoints;
    const planned = plan(group, endpoints);
    for (let i = 0; i < planned.length; i += DELIVERIES_PER_TRANSACTION) {
      await storeAndOffer(planned.slice(i, i + DELIVERIES_PER_TRANSACTION), reading, endpoints);
    }
  }

  const batcher = createBatcher({
    run: fanOut,
    maxSize: EVENTS_PER_GROUP,
    retryApart: { when: isFaultOfOne },
  });

  /**
   * With something on its way, a store that goes away is waited for as long as the lease lasts: whoever else got the event
   * would send it again.
   */
  async function storeInLease(event: Handled): Promise<void> {
    const untilMs = now() + leaseMs;
    for (;;) {
      try {
        return await batcher.add(event);
      } catch (error) {
        if (event.offered.size === 0 || now() >= untilMs) throw error;
        await delay(STORE_RETRY_MS);
      }
    }
  }

  async function handle(event: WorkspaceEvent, traceparent: string | undefined): Promise<void> {
    const { promise: stored, resolve: settle } = Promise.withResolvers<void>();
    const handled = { ...event, traceparent, offered: new Map(), handedOver: [], stored };
    await storeInLease(handled).finally(settle);
    await Promise.all(handled.handedOver);
  }

  const underWay = new Map<string, Promise<void>>();
  return async (event, traceparent) => {
    const { id, workspace_id } = event;
    if (workspace_id === null || !events[event.type].webhook) return;
    // One that waits for the store comes again meanwhile.
    if (!underWay.has(id)) {
      const handling = handle({ ...event, workspace_id }, traceparent).finally(() => underWay.delete(id));
      underWay.set(id, handling);
    }
    await underWay.get(id);
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

/**
 * Puts our lease on what the lanes have room for, and on what they have already the one that it has there; a disabled
 * endpoint's lane holds what comes.
 */
function leaseWhatFits(
  planned: Planned[],
  lanes: Lanes,
  ours: { lease: string; leasedUntilMs: number },
): void {
  const isNew = ({ delivery, event, endpoint }: Planned) =>
    endpoint.enabled && !event.offered.has(delivery.id);
  const fitting = new Set(lanes.fitting(planned.filter(isNew)));
  for (const one of planned) {
    const { delivery, event } = one;
    const held = event.offered.get(delivery.id) ?? (fitting.has(one) ? ours : null);
    if (!held) continue;
    Object.assign(delivery, { lease: held.lease, due_at: new Date(held.leasedUntilMs).toISOString() });
  }
}

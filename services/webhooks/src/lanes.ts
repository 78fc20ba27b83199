import { newId } from '@waymark/contracts';
import type { Logger } from '@waymark/service-kit';
import { type Lane, newLane } from './lane.ts';
import { createPlaces } from './places.ts';
import type { Settler } from './settle.ts';
import type { ClaimedDelivery, DueLane, EndpointRecord, WebhookStore } from './store.ts';

export interface Lanes {
  /** How many new deliveries this process would send soon; 0 when older ones of the endpoint wait in the store. */
  room(endpoint: EndpointRecord): number;
  /**
   * Takes deliveries that this process has leased, to send them; the endpoint was read at `readAtMs` (performance.now).
   * Resolves when they are in good hands: at once, or when a process that stops has given them back.
   */
  offer(endpoint: EndpointRecord, readAtMs: number, claimed: ClaimedDelivery[]): Promise<void>;
  /** Says that the store has something due for an endpoint. */
  wake(lane: DueLane): void;
  /** Has the endpoint read anew before anything more is sent to it. */
  forget(webhookId: string): void;
  /** Drops lanes with nothing to do. */
  tidy(): void;
  /** Sends nothing more, gives back what waits, and resolves when what is on its way is recorded. */
  stop(): Promise<void>;
}

export interface LaneLimits {
  /** Attempts at once to one endpoint, to those of one workspace, and to all. */
  concurrency: number;
  workspaceConcurrency: number;
  totalConcurrency: number;
  maxPerSecond: number;
  leaseMs: number;
  /** What has to be left of a lease to begin an attempt: it must outlive the attempt and its record. */
  leaseNeededMs: number;
}

/** Deliveries waiting in memory, at most, for each that may be on its way. */
const AHEAD = 8;
/** With a low rate limit no more wait than are sent in this time. */
const AHEAD_SECONDS = 4;
const NARROWEST = 4;
/** Of all payloads in memory; beyond it lanes go on with one at a time. */
const QUEUED_CHARACTERS = 64 * 1024 * 1024;
const CLAIM_MAX = 64;
/** How long before something is to be sent the reading of its endpoint's settings may have begun. */
const SETTINGS_AGE_MS = 1_000;
const IDLE_MS = 60_000;

/**
 * One lane an endpoint, each with its own queue, width and rate: a slow endpoint fills its lane and no other. What does
 * not fit in memory stays in the store, unleased, until its lane has room.
 */
export function createLanes(options: {
  store: WebhookStore;
  /** Sends and records one delivery; says whether the endpoint answered at all. */
  attempt: (endpoint: EndpointRecord, claimed: ClaimedDelivery) => Promise<boolean>;
  settler: Settler;
  limits: LaneLimits;
  now: () => number;
  log: Logger;
}): Lanes {
  const { store, attempt, settler, limits, now, log } = options;
  const { claims } = store;
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();
  const places = createPlaces<Lane>(
    { total: limits.totalConcurrency, perWorkspace: limits.workspaceConcurrency },
    pump,
  );
  let isStopped = false;
  let queuedCharacters = 0;

  const perSecond = (endpoint: EndpointRecord | null) =>
    Math.min(endpoint?.max_per_second ?? limits.maxPerSecond, limits.maxPerSecond);
  const capacity = (width: number, endpoint: EndpointRecord | null) =>
    queuedCharacters > QUEUED_CHARACTERS
      ? 1
      : Math.max(1, Math.min(width * AHEAD, perSecond(endpoint) * AHEAD_SECONDS));

  function enqueue(lane: Lane, claimed: ClaimedDelivery[]): void {
    for (const { payload } of claimed) queuedCharacters += payload.length;
    lane.queue.push(...claimed);
  }

  function dequeue(lane: Lane, count = lane.queue.length): ClaimedDelivery[] {
    const claimed = lane.queue.splice(0, count);
    for (const { payload } of claimed) queuedCharacters -= payload.length;
    return claimed;
  }

  function laneOf({ webhookId, workspaceId }: DueLane): Lane {
    const known = lanes.get(webhookId);
    if (known) return known;
    const lane = newLane({ webhookId, workspaceId }, limits.concurrency);
    lanes.set(webhookId, lane);
    return lane;
  }

  async function readEndpoint(lane: Lane): Promise<void> {
    const readAtMs = performance.now();
    lane.endpoint = await store.endpoints.byId(lane.webhookId);
    lane.readAtMs = readAtMs;
  }

  /** The endpoint if it still takes deliveries, as it was a second ago or later. A store that takes longer is waited for. */
  async function openEndpoint(lane: Lane): Promise<EndpointRecord | null> {
    const sinceMs = performance.now() - SETTINGS_AGE_MS;
    while (lane.readAtMs <= Math.max(lane.changedAtMs, sinceMs)) {
      lane.reading ??= readEndpoint(lane).finally(() => {
        lane.reading = undefined;
      });
      await lane.reading;
    }
    const { endpoint } = lane;
    return endpoint?.enabled && endpoint.deleted_at === null ? endpoint : null;
  }

  async function release(claimed: ClaimedDelivery[]): Promise<void> {
    await Promise.all(claimed.map(({ stored }) => stored));
    await claims.release(claimed, new Date(now()).toISOString());
  }

  async function close(lane: Lane, claimed: ClaimedDelivery[]): Promise<void> {
    await release([...claimed, ...dequeue(lane)]);
    await settler.settle(lane);
  }

  async function giveBack(waiting: ClaimedDelivery[]): Promise<void> {
    try {
      await release(waiting);
    } catch (error) {
      log.warn({ err: error }, 'waiting deliveries not given back; their lease ends soon');
    }
  }

  async function holdsLease(claimed: ClaimedDelivery): Promise<boolean> {
    if (claimed.leasedUntilMs - now() >= limits.leaseNeededMs) return true;
    const untilMs = now() + limits.leaseMs;
    if (!(await claims.renew(claimed, untilMs))) return false;
    claimed.leasedUntilMs = untilMs;
    return true;
  }

  async function send(lane: Lane, claimed: ClaimedDelivery): Promise<void> {
    const endpoint = await openEndpoint(lane);
    if (!endpoint) return close(lane, [claimed]);
    if (!(await holdsLease(claimed))) return;
    const isAnswered = await attempt(endpoint, claimed);
    lane.width = isAnswered
      ? Math.min(lane.width + 1, limits.concurrency)
      : Math.min(lane.width, Math.max(Math.floor(lane.width / 2), NARROWEST));
  }

  async function refill(lane: Lane): Promise<void> {
    const { wakes } = lane;
    const endpoint = await openEndpoint(lane);
    if (!endpoint) {
      lane.isBehind = false;
      return close(lane, []);
    }
    const limit = Math.min(CLAIM_MAX, capacity(lane.width, endpoint) - lane.queue.length);
    if (limit <= 0) return;
    const nowMs = now();
    const claimed = await claims.claim(lane, {
      limit,
      now: new Date(nowMs).toISOString(),
      lease: newId(),
      untilMs: nowMs + limits.leaseMs,
    });
    if (isStopped) return claims.release(claimed, new Date(nowMs).toISOString());
    if (claimed.length < limit && lane.wakes === wakes) lane.isBehind = false;
    enqueue(lane, claimed);
  }

  function track(work: Promise<void>, lane: Lane, done: () => void): void {
    const tracked = work
      .catch((error) =>
        log.warn({ err: error, webhook_id: lane.webhookId }, 'sending interrupted; it comes up again'),
      )
      .then(() => {
        running.delete(tracked);
        done();
        pump(lane);
      });
    running.add(tracked);
  }

  function pump(lane: Lane): void {
    while (!isStopped && lane.queue.length > 0 && lane.active < lane.width) {
      if (!places.isFree(lane)) {
        places.queue(lane);
        break;
      }
      const waitMs = lane.countSend(perSecond(lane.endpoint), now());
      if (waitMs > 0) {
        lane.timer ??= setTimeout(() => {
          lane.timer = undefined;
          pump(lane);
        }, waitMs);
        break;
      }
      places.take(lane);
      lane.active += 1;
      const [claimed] = dequeue(lane, 1);
      track(send(lane, claimed!), lane, () => {
        lane.active -= 1;
        places.give(lane);
      });
    }
    const isLow = lane.queue.length <= capacity(lane.width, lane.endpoint) / 2;
    if (!isStopped && lane.isBehind && isLow && !lane.isRefilling) {
      lane.isRefilling = true;
      const refilled = refill(lane).catch((error) => {
        // The sweep wakes the lane again; trying at once would only press a store that is in trouble.
        lane.isBehind = false;
        throw error;
      });
      track(refilled, lane, () => {
        lane.isRefilling = false;
      });
    }
  }

  return {
    room(endpoint) {
      if (isStopped) return 0;
      const lane = lanes.get(endpoint.id);
      if (!lane) return capacity(limits.concurrency, endpoint);
      return lane.isBehind ? 0 : Math.max(0, capacity(lane.width, endpoint) - lane.queue.length);
    },
    async offer(endpoint, readAtMs, claimed) {
      if (isStopped) return giveBack(claimed);
      const lane = laneOf({ webhookId: endpoint.id, workspaceId: endpoint.workspace_id });
      if (readAtMs > lane.readAtMs) Object.assign(lane, { endpoint, readAtMs });
      enqueue(lane, claimed);
      pump(lane);
    },
    wake(due) {
      if (isStopped) return;
      const lane = laneOf(due);
      lane.isBehind = true;
      lane.wakes += 1;
      pump(lane);
    },
    forget(webhookId) {
      const lane = lanes.get(webhookId);
      if (lane) lane.changedAtMs = performance.now();
    },
    tidy() {
      for (const lane of lanes.values()) {
        const isIdle = lane.active === 0 && lane.queue.length === 0 && !lane.isBehind && !lane.isRefilling;
        if (isIdle && performance.now() - lane.readAtMs > IDLE_MS) lanes.delete(lane.webhookId);
      }
    },
    async stop() {
      isStopped = true;
      const waiting = [...lanes.values()].flatMap((lane) => {
        clearTimeout(lane.timer);
        return dequeue(lane);
      });
      const released = giveBack(waiting);
      while (running.size > 0) await Promise.all(running);
      await released;
    },
  };
}

import { newId } from '@waymark/contracts';
import type { Logger } from '@waymark/service-kit/process';
import type { ClaimedDelivery, DueLane, EndpointRecord, WebhookStore } from '../store/index.ts';
import { createPlaces } from './concurrency-limiter.ts';
import type { SoleSender } from './endpoint-lease.ts';
import { type Lane, newLane } from './endpoint-queue.ts';
import { createPayloadRoom } from './memory-budget.ts';
import { createReadiness, noteEndpoint, openEndpoint } from './readiness.ts';
import type { Settler } from './settle.ts';

export interface Lanes {
  /** Of new deliveries, those that this process would send soon; none of an endpoint of which older ones wait in the store. */
  fitting<N extends NewDelivery>(deliveries: N[]): N[];
  /**
   * Takes deliveries that this process has leased, to send them; the endpoint was read at `readAtMs` (performance.now).
   * Resolves when they are in good hands: at once, or when a process that stops has given them back.
   */
  offer(endpoint: EndpointRecord, readAtMs: number, claimed: ClaimedDelivery[]): Promise<void>;
  /** Says that the store has something due for an endpoint. */
  wake(lane: DueLane): void;
  /** Whether what is due for an endpoint with a rate of its own waits for that, or for another process to tell whether it does. */
  isPaced(webhookId: string): boolean;
  /** Has the endpoint read anew before anything more is sent to it. */
  forget(webhookId: string): void;
  /** Drops lanes with nothing to do. */
  tidy(): void;
  /** Sends nothing more, gives back what waits, and resolves when what is on its way is recorded. */
  stop(): Promise<void>;
}

interface NewDelivery {
  endpoint: EndpointRecord;
  delivery: { payload: string };
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
const CLAIM_MAX = 64;
const IDLE_MS = 60_000;
/** A lane that its rate holds back comes to know it each second; another for what the store takes in between. */
const PACED_MS = 2_000;

/**
 * One lane an endpoint, each with its own queue, width and rate: a slow endpoint fills its lane and no other. What does
 * not fit in memory stays in the store, unleased, until its lane has room.
 */
export function createLanes(options: {
  store: WebhookStore;
  /** Sends and records one delivery; says whether the endpoint answered at all. */
  attempt: (endpoint: EndpointRecord, claimed: ClaimedDelivery) => Promise<boolean>;
  settler: Settler;
  soleSender: SoleSender;
  limits: LaneLimits;
  now: () => number;
  log: Logger;
}): Lanes {
  const { store, attempt, settler, soleSender, limits, now, log } = options;
  const { claims } = store;
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();
  const places = createPlaces<Lane>(
    { total: limits.totalConcurrency, perWorkspace: limits.workspaceConcurrency },
    pump,
  );
  const payloads = createPayloadRoom<Lane>();
  const readiness = createReadiness({ store, soleSender, refused: refuse });
  let isStopped = false;

  const perSecond = (endpoint: EndpointRecord | null) =>
    Math.min(endpoint?.max_per_second ?? limits.maxPerSecond, limits.maxPerSecond);
  const capacity = (width: number, endpoint: EndpointRecord | null) =>
    Math.max(1, Math.min(width * AHEAD, perSecond(endpoint) * AHEAD_SECONDS));

  function enqueue(lane: Lane, claimed: ClaimedDelivery[]): void {
    for (const { payload } of claimed) payloads.take(lane, payload.length);
    lane.queue.push(...claimed);
  }

  /** Takes all that waits out of memory. */
  function empty(lane: Lane): ClaimedDelivery[] {
    const claimed = lane.queue.splice(0);
    for (const { payload } of claimed) payloads.give(lane, payload.length);
    return claimed;
  }

  function laneOf({ webhookId, workspaceId }: DueLane): Lane {
    const known = lanes.get(webhookId);
    if (known) return known;
    const lane = newLane({ webhookId, workspaceId }, limits.concurrency);
    lanes.set(webhookId, lane);
    return lane;
  }

  async function release(claimed: ClaimedDelivery[]): Promise<void> {
    await Promise.all(claimed.map(({ stored }) => stored));
    await claims.release(claimed, new Date(now()).toISOString());
  }

  async function giveBack(waiting: ClaimedDelivery[]): Promise<void> {
    try {
      await release(waiting);
    } catch (error) {
      log.warn({ err: error }, 'waiting deliveries not given back; their lease ends soon');
    }
  }

  async function holdsLease(lane: Lane, claimed: ClaimedDelivery): Promise<boolean> {
    if (claimed.leasedUntilMs - now() >= limits.leaseNeededMs) return true;
    const untilMs = now() + limits.leaseMs;
    if (!(await claims.renew(claimed, untilMs))) return false;
    claimed.leasedUntilMs = untilMs;
    // However long that took, nothing is sent on what was known before.
    if (readiness.isReady(lane)) return true;
    await release([claimed]);
    return false;
  }

  /** Keeps nothing of what this process may not send. */
  async function refuse(lane: Lane): Promise<void> {
    // Where another process sends, its sweep finds what is due.
    lane.isBehind = false;
    await release(empty(lane));
    if (!openEndpoint(lane)) await settler.settle(lane);
  }

  async function prepareQueue(lane: Lane): Promise<void> {
    try {
      await readiness.prepare(lane);
    } catch (error) {
      await giveBack(empty(lane));
      throw error;
    }
  }

  async function send(lane: Lane, endpoint: EndpointRecord, claimed: ClaimedDelivery): Promise<void> {
    if (!(await holdsLease(lane, claimed))) return;
    const isAnswered = await attempt(endpoint, claimed);
    lane.width = isAnswered
      ? Math.min(lane.width + 1, limits.concurrency)
      : Math.min(lane.width, Math.max(Math.floor(lane.width / 2), NARROWEST));
  }

  async function refill(lane: Lane): Promise<void> {
    const { wakes } = lane;
    if (!(await readiness.prepare(lane))) return;
    const limit = Math.min(CLAIM_MAX, capacity(lane.width, lane.endpoint) - lane.queue.length);
    if (limit <= 0 || payloads.room(lane) <= 0) return;
    const nowMs = now();
    // Others who refill meanwhile share what is left.
    const { enough, most, giveBack: unreserve } = payloads.reserve(lane);
    try {
      const { claimed, isMore } = await claims.claim(lane, {
        limit,
        bytes: enough,
        bytesMost: most,
        now: new Date(nowMs).toISOString(),
        lease: newId(),
        untilMs: nowMs + limits.leaseMs,
      });
      if (isStopped) return claims.release(claimed, new Date(nowMs).toISOString());
      if (!isMore && lane.wakes === wakes) lane.isBehind = false;
      enqueue(lane, claimed);
    } finally {
      // In one turn with `enqueue`: no other lane finds the same room free in between.
      unreserve();
    }
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
      if (!readiness.isReady(lane)) {
        if (!lane.preparing) track(prepareQueue(lane), lane, () => undefined);
        break;
      }
      const waitMs = lane.countSend(perSecond(lane.endpoint), now());
      if (waitMs > 0) {
        lane.pacedAtMs = performance.now();
        lane.timer ??= setTimeout(() => {
          lane.timer = undefined;
          pump(lane);
        }, waitMs);
        break;
      }
      places.take(lane);
      lane.active += 1;
      const claimed = lane.queue.shift()!;
      track(send(lane, lane.endpoint!, claimed), lane, () => {
        lane.active -= 1;
        payloads.give(lane, claimed.payload.length);
        places.give(lane);
      });
    }
    const isLow = lane.queue.length <= capacity(lane.width, lane.endpoint) / 2 && payloads.room(lane) > 0;
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
    fitting(deliveries) {
      const counts = new Map<Lane, number>();
      const fits = ({ endpoint, delivery }: NewDelivery) => {
        const lane = laneOf({ webhookId: endpoint.id, workspaceId: endpoint.workspace_id });
        const count = counts.get(lane) ?? 0;
        const left = capacity(lane.width, endpoint) - lane.queue.length - count;
        if (isStopped || lane.isBehind || !soleSender.maySend(endpoint)) return false;
        if (left <= 0 || !payloads.fits(lane, delivery.payload.length)) return false;
        counts.set(lane, count + 1);
        payloads.take(lane, delivery.payload.length);
        return true;
      };
      const fitting = deliveries.filter(fits);
      // They take their part for good when they are offered.
      for (const { endpoint, delivery } of fitting)
        payloads.give(lanes.get(endpoint.id)!, delivery.payload.length);
      return fitting;
    },
    async offer(endpoint, readAtMs, claimed) {
      if (isStopped) return giveBack(claimed);
      const lane = laneOf({ webhookId: endpoint.id, workspaceId: endpoint.workspace_id });
      noteEndpoint(lane, endpoint, readAtMs);
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
    isPaced(webhookId) {
      const lane = lanes.get(webhookId);
      if (!lane?.endpoint || lane.endpoint.max_per_second === null) return false;
      return soleSender.isAnother(lane.endpoint) || performance.now() - lane.pacedAtMs < PACED_MS;
    },
    forget(webhookId) {
      const lane = lanes.get(webhookId);
      if (lane) lane.changedAtMs = performance.now();
    },
    tidy() {
      soleSender.tidy();
      for (const lane of lanes.values()) {
        const isIdle = lane.active === 0 && lane.queue.length === 0 && !lane.isBehind && !lane.isRefilling;
        if (isIdle && performance.now() - lane.readAtMs > IDLE_MS) lanes.delete(lane.webhookId);
      }
    },
    async stop() {
      isStopped = true;
      const waiting = [...lanes.values()].flatMap((lane) => {
        clearTimeout(lane.timer);
        return empty(lane);
      });
      const released = giveBack(waiting);
      while (running.size > 0) await Promise.all(running);
      await released;
      await soleSender
        .resign()
        .catch((error) => log.warn({ err: error }, 'other replicas wait for the end of our leases'));
    },
  };
}

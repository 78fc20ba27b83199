import { newId } from '@waymark/contracts';
import type { Admission, Tenants } from '@waymark/service-kit/jobs';
import type { FailureLog } from '@waymark/service-kit/process';
import type { WebhooksRuntime } from '../context.ts';
import type { ClaimedDelivery, EndpointKey, EndpointRecord } from '../store/index.ts';
import type { EndpointLeases } from './endpoint-lease.ts';
import { createPermission, type Permission } from './permission.ts';
import { sendWindow } from './send-window.ts';
import type { Settler } from './settle.ts';

export interface QueueContext extends Pick<WebhooksRuntime, 'store' | 'now' | 'log'> {
  /** Sends and records one delivery; returns whether the endpoint answered at all. */
  attempt: (endpoint: EndpointRecord, claimed: ClaimedDelivery) => Promise<boolean>;
  canSign: (endpoint: EndpointRecord) => boolean;
  settler: Settler;
  leases: EndpointLeases;
  limits: {
    /** Attempts at once to one endpoint, to the endpoints of one workspace, and in total. */
    concurrency: number;
    workspaceConcurrency: number;
    totalConcurrency: number;
    maxPerSecond: number;
    leaseMs: number;
    /** An attempt begins only while this much of its lease is left: enough to end and be recorded. */
    leaseNeededMs: number;
  };
  /** Attempts at once, and the characters of payloads in memory. */
  attempts: Admission;
  memory: Admission;
  isStopped: () => boolean;
  /** Logs failures of work in the background. */
  interruptions: FailureLog;
  /** Work in the background; a process that stops waits for it. */
  running: Set<Promise<void>>;
}

/** The most deliveries in memory for each attempt that may be under way. */
const AHEAD = 8;
/** With a low rate, memory holds at most the deliveries that are sent in this time. */
const AHEAD_SECONDS = 4;
const CONCURRENCY_MIN = 4;
const CLAIM_MAX = 64;
/** The most characters of payloads that a claim takes: more than the largest payload. */
export const CLAIM_CHARACTERS = 1024 ** 2;
/** The most characters of payloads in memory. */
const CHARACTERS_MAX = 8 * CLAIM_CHARACTERS;
/** A queue that waits for its rate notes this every second; the other second allows for a slow store. */
const PACED_MS = 2_000;

/*
 * A delivery is
 *   due      in the store, and no process has leased it;
 *   waiting  in memory: claimed by #refill, or offered by the fan-out through `add`;
 *   active   being sent: begun by `pump` in order of arrival;
 *   stored   with its result, by `attempt`.
 * #refuse, a failure in #refill and a process that stops turn waiting deliveries into due ones.
 *
 * The queue of an endpoint is, and several of these at a time
 *   idle       nothing waits, is active or may be due: EndpointQueues drops it;
 *   behind     deliveries may be due: `wake` by the sweep, or by a claim that left some;
 *   refilling  it asks whether the endpoint may be sent to, then claims if it is behind: `pump` begins
 *              this when few wait and memory is free, or when deliveries wait and its answer is too old;
 *   in line    it waits until one of all attempts is free: #waitInLine, until the admission calls back;
 *   paced      it waits for its rate: #countAttempt, until the timer.
 * The end of any of these calls `pump`, which begins what the limits allow.
 */

/** A delivery in memory. */
interface Waiting {
  claimed: ClaimedDelivery;
  freeMemory: () => void;
}

/** The deliveries to an endpoint that this process has leased. The others wait in the store. */
export class EndpointQueue implements EndpointKey {
  readonly id: string;
  readonly workspace_id: string;
  readonly permission: Permission;
  readonly #context: QueueContext;
  readonly #sent = sendWindow();
  #waiting: Waiting[] = [];
  #active = 0;
  /** Attempts at once: fewer while the endpoint does not answer, so that many such endpoints cost little. */
  #concurrency: number;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the queue waits until one of all attempts is free, and the attempt that it got. */
  #isInLine = false;
  #turn: (() => void) | null = null;
  /** When the rate last delayed an attempt (performance.now). */
  #pacedAtMs = Number.NEGATIVE_INFINITY;
  /** Whether the store may have due deliveries that no claim under way will find. */
  #isBehind = false;
  #isRefilling = false;

  constructor(context: QueueContext, { id, workspace_id }: EndpointKey) {
    this.#context = context;
    this.id = id;
    this.workspace_id = workspace_id;
    this.permission = createPermission({
      read: () => context.store.endpoints.byId(id),
      leases: context.leases,
      canSign: context.canSign,
      refuse: (isEnabled) => this.#refuse(isEnabled),
    });
    this.#concurrency = context.limits.concurrency;
  }

  /** The user and the network are known when the endpoint has been read: before any attempt or claim. */
  get #tenants(): Tenants {
    const { created_by: user, created_from: network } = this.permission.endpoint() ?? {};
    const creator = [...(user ? [`user ${user}`] : []), ...(network ? [`network ${network}`] : [])];
    return [`workspace ${this.workspace_id}`, `endpoint ${this.id}`, ...creator];
  }

  /** Reserves memory for a delivery that may be offered soon. Returns the function that frees it. */
  reserve = (characters: number) => this.#context.memory.hold(this.#tenants, characters);

  /** Whether a new delivery would be sent soon, after `reserved` others. False while older ones are due. */
  hasRoomFor(endpoint: EndpointRecord, characters: number, reserved: number): boolean {
    const { canSign, leases } = this.#context;
    if (this.#isBehind || this.#isRefilling) return false;
    const room = this.#capacity(endpoint) - this.#waiting.length - reserved;
    const fits = this.#freeMemory() >= characters;
    return room > 0 && fits && leases.maySend(endpoint) && canSign(endpoint);
  }

  add(claimed: ClaimedDelivery[]): void {
    for (const one of claimed) {
      const freeMemory = this.#context.memory.hold(this.#tenants, one.payload.length);
      this.#waiting.push({ claimed: one, freeMemory });
    }
    this.pump();
  }

  wake(): void {
    this.#isBehind = true;
    this.pump();
  }

  /** Whether due deliveries wait for the endpoint's own rate, or for another process that holds its lease. */
  isPaced(): boolean {
    const endpoint = this.permission.endpoint();
    if (!endpoint || endpoint.max_per_second === null) return false;
    return this.#context.leases.isHeldElsewhere(endpoint) || performance.now() - this.#pacedAtMs < PACED_MS;
  }

  isIdle(): boolean {
    return this.#active === 0 && this.#waiting.length === 0 && !this.#isBehind && !this.#isRefilling;
  }

  /** Removes and returns the waiting deliveries. */
  empty(): ClaimedDelivery[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting.splice(0);
    for (const { freeMemory } of waiting) freeMemory();
    return waiting.map(({ claimed }) => claimed);
  }

  /** Begins as many attempts as the limits allow, and claims more deliveries when few wait. */
  pump(): void {
    while (this.#mayBegin()) this.#begin(this.#waiting.shift()!);
    if (this.#mayRefill()) this.#beginRefill();
  }

  #perSecond(endpoint: EndpointRecord | null): number {
    const { maxPerSecond } = this.#context.limits;
    return Math.min(endpoint?.max_per_second ?? maxPerSecond, maxPerSecond);
  }

  /** Returns how many characters of payloads the queue may take into memory. */
  #freeMemory(): number {
    const { memory } = this.#context;
    return Math.min(memory.allowance(this.#tenants), CHARACTERS_MAX - memory.heldBy(`endpoint ${this.id}`));
  }

  #capacity(endpoint: EndpointRecord | null): number {
    return Math.max(1, Math.min(this.#concurrency * AHEAD, this.#perSecond(endpoint) * AHEAD_SECONDS));
  }

  /** Returns the most attempts at once: the other endpoints of the workspace keep as many as this one. */
  #mostActive(): number {
    const { attempts, limits } = this.#context;
    const left = limits.workspaceConcurrency - attempts.heldBy(`workspace ${this.workspace_id}`);
    return Math.min(this.#concurrency, Math.max(left, 1));
  }

  #mayBegin(): boolean {
    const { isStopped, attempts } = this.#context;
    if (isStopped() || this.#waiting.length === 0 || this.#active >= this.#mostActive()) return false;
    if (!this.#turn && attempts.allowance(this.#tenants) === 0) {
      this.#waitInLine();
      return false;
    }
    return this.permission.isGranted() && this.#countAttempt();
  }

  /** Counts an attempt against the rate; returns false, and tries again later, when the rate is reached. */
  #countAttempt(): boolean {
    const waitMs = this.#sent(this.#perSecond(this.permission.endpoint()), this.#context.now());
    if (waitMs === 0) return true;
    this.#pacedAtMs = performance.now();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.pump();
    }, waitMs);
    return false;
  }

  /** Waits until an attempt is free for this endpoint; workspaces take turns. */
  #waitInLine(): void {
    if (this.#isInLine) return;
    this.#isInLine = true;
    void this.#context.attempts.wait(this.#tenants, Number.POSITIVE_INFINITY).then((turn) => {
      this.#isInLine = false;
      this.#turn = turn;
      this.pump();
      this.#turn?.();
      this.#turn = null;
    });
  }

  #begin({ claimed, freeMemory }: Waiting): void {
    const end = this.#turn ?? this.#context.attempts.enter(this.#tenants);
    this.#turn = null;
    this.#active += 1;
    this.#track(this.#send(this.permission.endpoint()!, claimed), () => {
      this.#active -= 1;
      freeMemory();
      end();
    });
  }

  async #send(granted: EndpointRecord, claimed: ClaimedDelivery): Promise<void> {
    const { attempt, limits, now } = this.#context;
    const lastsLongEnough = claimed.leasedUntilMs - now() >= limits.leaseNeededMs;
    const endpoint = lastsLongEnough ? granted : await this.#prolongLease(claimed);
    if (!endpoint) return;
    const isAnswered = await attempt(endpoint, claimed);
    const halved = Math.max(Math.floor(this.#concurrency / 2), CONCURRENCY_MIN);
    this.#concurrency = isAnswered
      ? Math.min(this.#concurrency + 1, limits.concurrency)
      : Math.min(this.#concurrency, halved);
  }

  /** Prolongs the lease on a delivery that has waited long; returns the endpoint if it may be sent to. */
  async #prolongLease(claimed: ClaimedDelivery): Promise<EndpointRecord | null> {
    const { store, limits, now } = this.#context;
    const untilMs = now() + limits.leaseMs;
    if (!(await store.claims.renew(claimed, untilMs))) return null;
    claimed.leasedUntilMs = untilMs;
    // The settings may have changed, or the endpoint's lease ended, while the store answered.
    if (this.permission.isGranted()) return this.permission.endpoint();
    await releaseClaimed(this.#context, [claimed]);
    this.#isBehind = true;
    return null;
  }

  async #refuse(isEnabled: boolean): Promise<void> {
    // If another process sends to the endpoint, its sweep finds the due deliveries.
    this.#isBehind = false;
    await releaseClaimed(this.#context, this.empty());
    if (!isEnabled) await this.#context.settler.settle(this);
  }

  #mayRefill(): boolean {
    if (this.#context.isStopped() || this.#isRefilling) return false;
    if (this.#waiting.length > 0 && !this.permission.isGranted()) return true;
    const isLow = this.#waiting.length <= this.#capacity(this.permission.endpoint()) / 2;
    return this.#isBehind && isLow && this.#freeMemory() > 0;
  }

  #beginRefill(): void {
    this.#isRefilling = true;
    this.#track(this.#refill(), () => {
      this.#isRefilling = false;
    });
  }

  async #refill(): Promise<void> {
    const { store, limits, memory, now } = this.#context;
    const isBehind = this.#isBehind;
    // After a failure the sweep wakes the queue: an immediate retry would load a store that is in trouble.
    this.#isBehind = false;
    const isPermitted = await this.permission.request().catch(async (error) => {
      await releaseClaimed(this.#context, this.empty());
      throw error;
    });
    if (!isPermitted || !isBehind) return;
    const limit = Math.min(CLAIM_MAX, this.#capacity(this.permission.endpoint()) - this.#waiting.length);
    const characters = Math.min(this.#freeMemory(), CLAIM_CHARACTERS);
    if (limit <= 0 || characters <= 0) {
      this.#isBehind = true;
      return;
    }
    const nowMs = now();
    // The reservation leaves the rest of the memory to queues that refill at the same time.
    const freeReserved = memory.hold(this.#tenants, characters);
    try {
      const { claimed, isMore } = await store.claims.claim(this, {
        limit,
        bytes: characters,
        now: new Date(nowMs).toISOString(),
        lease: newId(),
        untilMs: nowMs + limits.leaseMs,
      });
      if (this.#context.isStopped()) return await releaseClaimed(this.#context, claimed);
      if (isMore) this.#isBehind = true;
      this.add(claimed);
    } finally {
      // Freed right after `add`, without waiting, so that no other queue takes the same memory in between.
      freeReserved();
    }
  }

  #track(work: Promise<void>, whenDone: () => void = () => undefined): void {
    const { interruptions, running } = this.#context;
    const tracked = work
      .then(interruptions.onSuccess, (err) => interruptions.onError(err, { webhook_id: this.id }))
      .then(() => {
        running.delete(tracked);
        whenDone();
        this.pump();
      });
    running.add(tracked);
  }
}

/** Releases leases on deliveries, once they are stored. */
export async function releaseClaimed(
  { store, now, log }: QueueContext,
  claimed: ClaimedDelivery[],
): Promise<void> {
  await Promise.all(claimed.map(({ stored }) => stored));
  await store.claims
    .release(claimed, new Date(now()).toISOString())
    .catch((err) => log.warn({ err }, 'leases on waiting deliveries were not released; they end soon'));
}

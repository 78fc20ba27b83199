import { ApiError } from '@waymark/contracts';

/**
 * Whom a use counts against, the holder first: for example a user, a workspace and a network. Equal texts are
 * the same tenant.
 */
export type Tenants = readonly string[];

export type Admission = ReturnType<typeof createAdmission>;

export interface AdmissionOptions {
  /** The name of the resource, in the plural and for the message of a refusal: `event streams`. */
  what: string;
  /** How much there is: connections, bytes and so on. */
  total: number;
  /** The amount that every holder may have as long as anything is left. Default 4. */
  small?: number;
  /** The most that a holder may have. Default: its share. */
  most?: number;
  /** How long a refused client waits before it tries again. Default 1 s. */
  retrySeconds?: number;
  /** Called with each refusal: everything is taken, or the tenant has its share. */
  onRefused: (reason: Refusal) => void;
  /** Called once with a function that returns how much is taken: the metrics name every bounded resource. */
  onHeld: (held: () => number) => void;
}

export type Refusal = 'full' | 'share';

interface Waiting {
  tenants: Tenants;
  amount: number;
  begin: () => void;
}

/** The part of the total that is kept for holders that have little. */
const RESERVE = 1 / 4;

/**
 * Shares a bounded resource fairly. A tenant may have as much as is then left outside of the reserve, so that
 * one alone gets three eighths, and the share of each shrinks as the resource fills. A small amount may come
 * from the reserve, but a workspace or network with many holders leaves half of what is free to others.
 */
export function createAdmission(options: AdmissionOptions) {
  const { what, total, small = 4, most = total, retrySeconds = 1, onRefused } = options;
  const reserve = Math.floor(total * RESERVE);
  const held = new Map<string, number>();
  let left = total;
  /** Who waits, in order of arrival by holder. The holders take turns. */
  const queues = new Map<string, Waiting[]>();

  options.onHeld(() => total - left);
  const heldBy = (tenant: string) => held.get(tenant) ?? 0;

  /** Returns how much the tenants may take now. */
  function allowance(tenants: Tenants): number {
    const [holder, ...groups] = tenants;
    const ofHolder = heldBy(holder!);
    /** Afterwards, the tenant has as much as is free. */
    const half = (tenant: string, free: number) => Math.ceil((free - heldBy(tenant)) / 2);
    const share = Math.min(...tenants.map((tenant) => half(tenant, left - reserve)));
    const ofReserve = Math.min(small - ofHolder, ...groups.map((group) => half(group, left)));
    return Math.max(0, Math.min(left, most - ofHolder, Math.max(share, ofReserve)));
  }

  function refusal(tenants: Tenants, amount: number): Refusal | null {
    if (amount > left) return 'full';
    return amount > allowance(tenants) ? 'share' : null;
  }

  function count(tenants: Tenants, amount: number): void {
    left -= amount;
    for (const tenant of tenants) {
      const sum = heldBy(tenant) + amount;
      if (sum > 0) held.set(tenant, sum);
      else held.delete(tenant);
    }
  }

  /** Counts an amount as taken, also beyond a share. Returns the function that gives it back, once. */
  function hold(tenants: Tenants, amount: number): () => void {
    count(tenants, amount);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      count(tenants, -amount);
      serveQueues();
    };
  }

  function serveQueues(): void {
    for (const [holder, queue] of [...queues]) {
      const first = queue[0]!;
      if (refusal(first.tenants, first.amount)) continue;
      first.begin();
      // The holder is last in the next turn.
      const others = queues.get(holder);
      if (others) queues.delete(holder) && queues.set(holder, others);
    }
  }

  function leave(waiting: Waiting): void {
    const holder = waiting.tenants[0]!;
    const queue = queues.get(holder);
    const index = queue?.indexOf(waiting) ?? -1;
    if (index >= 0) queue!.splice(index, 1);
    if (queue?.length === 0) queues.delete(holder);
  }

  function refuse(reason: Refusal): ApiError {
    onRefused(reason);
    if (reason === 'full') return new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: retrySeconds });
    return new ApiError('RATE_LIMITED', {
      reason: 'concurrency',
      message: `This caller or its network has its share of the ${what}. Wait until other requests have ended.`,
      retryAfterSeconds: retrySeconds,
    });
  }

  return {
    left: () => left,
    heldBy,
    allowance,
    hold,
    /** Takes an amount. Returns the function that gives it back. Throws RATE_LIMITED, SERVICE_UNAVAILABLE. */
    enter(tenants: Tenants, amount = 1): () => void {
      const reason = refusal(tenants, amount);
      if (reason) throw refuse(reason);
      return hold(tenants, amount);
    },
    /**
     * Takes an amount as soon as the shares allow. At `untilMs` (performance.now), throws as `enter`. Throws
     * the reason of `gone` if that aborts while the client waits.
     */
    async wait(
      tenants: Tenants,
      untilMs: number,
      { amount = 1, gone }: { amount?: number; gone?: AbortSignal } = {},
    ): Promise<() => void> {
      gone?.throwIfAborted();
      if (!queues.has(tenants[0]!) && refusal(tenants, amount) === null) return hold(tenants, amount);
      return new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer);
          gone?.removeEventListener('abort', end);
          leave(waiting);
        };
        const end = () => {
          stop();
          reject(gone?.aborted ? gone.reason : refuse(refusal(tenants, amount) ?? 'full'));
          serveQueues();
        };
        const waitMs = Math.max(0, untilMs - performance.now());
        const timer = Number.isFinite(waitMs) ? setTimeout(end, waitMs) : undefined;
        gone?.addEventListener('abort', end);
        const begin = () => {
          stop();
          resolve(hold(tenants, amount));
        };
        const waiting: Waiting = { tenants, amount, begin };
        const queue = queues.get(tenants[0]!);
        if (queue) queue.push(waiting);
        else queues.set(tenants[0]!, [waiting]);
      });
    },
  };
}

import type { Logger } from '@waymark/service-kit/process';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';

/** Decides, request by request, whether Redis is asked or this replica limits by itself. */
export interface RedisHealth {
  /** The answer of `ask`, or of `otherwise` when Redis fails, does not answer, or is known to be away. */
  within<T>(ask: () => Promise<T>, otherwise: () => T | Promise<T>): Promise<T>;
  /** Tells that the connection broke. */
  lost(cause: unknown): void;
  isAway(): boolean;
  stop(): void;
}

const TICK_MS = 10;
const SLOW_ROUNDS_MAX = 3;
const PROBE_MS = 200;
/** A probe older than this is given up together with its connection. */
const PROBE_LIMIT_MS = 2_000;

interface Pending {
  askedAtTick: number;
  isSettled: boolean;
  giveUp: () => void;
}

/**
 * Redis is left alone when it fails, when it is slow (`timeoutMs`) in three rounds in a row, or when it does not answer for
 * as long; until a probe is prompt. One slow answer is still waited for, because only Redis counts exactly. A round is
 * a timeout long: fifty answers that come late together are one.
 *
 * Time is counted in ticks of the event loop's timers: a loop that was busy for 100 ms makes one tick, because Redis may
 * have answered all the while.
 */
export function redisHealth(options: {
  timeoutMs: number;
  probe: () => Promise<unknown>;
  reconnect: () => void;
  metrics: GatewayMetrics;
  log: Logger;
}): RedisHealth {
  const { metrics, log } = options;
  const roundTicks = Math.max(1, Math.ceil(options.timeoutMs / TICK_MS));
  let queue: Pending[] = [];
  let tick = 0;
  let ticking: NodeJS.Timeout | undefined;
  let slowRounds = 0;
  let lastSlowTick = 0;
  let isAway = false;
  let probing: NodeJS.Timeout | undefined;
  let probed: { atMs: number; atTick: number } | null = null;

  function onTick() {
    tick += 1;
    const first = queue.findIndex((pending) => !pending.isSettled);
    queue = first < 0 ? [] : queue.slice(first);
    const oldest = queue[0];
    if (oldest && tick - oldest.askedAtTick > SLOW_ROUNDS_MAX * roundTicks) leave(new Error('no answer'));
    if (queue.length > 0 || probed) return;
    clearInterval(ticking);
    ticking = undefined;
  }

  function startTicking() {
    ticking ??= setInterval(onTick, TICK_MS).unref();
  }

  function answered(pending: Pending) {
    if (tick - pending.askedAtTick <= roundTicks) {
      slowRounds = 0;
    } else if (tick - lastSlowTick >= roundTicks) {
      slowRounds += 1;
      lastSlowTick = tick;
      if (slowRounds >= SLOW_ROUNDS_MAX) leave(new Error('slow answers in three rounds in a row'));
    }
  }

  function leave(cause: unknown) {
    if (isAway) return;
    isAway = true;
    metrics.limiterInsurance.set(1);
    log.warn({ err: cause }, 'Redis is away or slow; this replica limits by itself');
    probing = setInterval(probe, PROBE_MS).unref();
    const waiting = queue;
    queue = [];
    for (const pending of waiting) if (!pending.isSettled) pending.giveUp();
  }

  function comeBack() {
    isAway = false;
    slowRounds = 0;
    clearInterval(probing);
    metrics.limiterInsurance.set(0);
    log.info('Redis is back');
  }

  function probe() {
    if (probed) {
      if (performance.now() - probed.atMs < PROBE_LIMIT_MS) return;
      probed = null;
      options.reconnect();
      return;
    }
    const begun = { atMs: performance.now(), atTick: tick };
    probed = begun;
    startTicking();
    const over = (hasAnswer: boolean) => {
      if (probed !== begun) return;
      probed = null;
      if (hasAnswer && isAway && tick - begun.atTick <= roundTicks) comeBack();
    };
    options.probe().then(
      () => over(true),
      () => over(false),
    );
  }

  return {
    within(ask, otherwise) {
      if (isAway) return Promise.resolve(otherwise());
      return new Promise((resolve, reject) => {
        const pending: Pending = {
          askedAtTick: tick,
          isSettled: false,
          giveUp() {
            pending.isSettled = true;
            void Promise.resolve(otherwise()).then(resolve, reject);
          },
        };
        queue.push(pending);
        startTicking();
        ask().then(
          (answer) => {
            if (pending.isSettled) return;
            pending.isSettled = true;
            answered(pending);
            resolve(answer);
          },
          (error: unknown) => {
            if (pending.isSettled) return;
            leave(error);
            if (!pending.isSettled) pending.giveUp();
          },
        );
      });
    },
    lost: leave,
    isAway: () => isAway,
    stop() {
      clearInterval(probing);
      clearInterval(ticking);
    },
  };
}

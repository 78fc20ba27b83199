import type { Logger } from '@waymark/service-kit';
import type { GatewayMetrics } from './gateway-metrics.ts';

/** Decides, request by request, whether Redis is asked or this replica limits by itself. */
export interface RedisHealth {
  /** The answer of `ask`, or of `otherwise` when Redis fails, is slow, or is known to be away. */
  within<T>(ask: () => Promise<T>, otherwise: () => T | Promise<T>): Promise<T>;
  /** Tells that the connection broke. */
  lost(cause: unknown): void;
  isAway(): boolean;
  stop(): void;
}

const TICK_MS = 10;
const SLOW_ANSWERS_MAX = 3;
const PROBE_MS = 200;
/** A probe older than this is given up together with its connection. */
const PROBE_LIMIT_MS = 2_000;

interface Pending {
  askedAtTick: number;
  isSettled: boolean;
  giveUp: () => void;
}

/**
 * Time is counted in ticks of the event loop's timers: a loop that was busy for 100 ms makes one tick, because Redis may have
 * answered all the while. After three slow answers in a row, or a failure, only probes go to Redis, until one is prompt.
 */
export function redisHealth(options: {
  timeoutMs: number;
  probe: () => Promise<unknown>;
  reconnect: () => void;
  metrics: GatewayMetrics;
  log: Logger;
}): RedisHealth {
  const { metrics, log } = options;
  const patienceTicks = Math.max(1, Math.ceil(options.timeoutMs / TICK_MS));
  let queue: Pending[] = [];
  let tick = 0;
  let ticking: NodeJS.Timeout | undefined;
  let slowInARow = 0;
  let isAway = false;
  let probing: NodeJS.Timeout | undefined;
  let probeBegunAtMs: number | null = null;

  function onTick() {
    tick += 1;
    let first = 0;
    for (; first < queue.length; first += 1) {
      const pending = queue[first]!;
      if (pending.isSettled) continue;
      if (tick - pending.askedAtTick <= patienceTicks) break;
      pending.giveUp();
    }
    queue = queue.slice(first);
    if (queue.length > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  }

  function watch(pending: Pending) {
    queue.push(pending);
    ticking ??= setInterval(onTick, TICK_MS).unref();
  }

  function leave(cause: unknown) {
    if (isAway) return;
    isAway = true;
    metrics.limiterInsurance.set(1);
    log.warn({ err: cause }, 'Redis is away or slow; this replica limits by itself');
    probing = setInterval(probe, PROBE_MS).unref();
  }

  function comeBack() {
    isAway = false;
    slowInARow = 0;
    clearInterval(probing);
    metrics.limiterInsurance.set(0);
    log.info('Redis is back');
  }

  function probe() {
    if (probeBegunAtMs !== null) {
      if (performance.now() - probeBegunAtMs > PROBE_LIMIT_MS) {
        probeBegunAtMs = null;
        options.reconnect();
      }
      return;
    }
    const begunAtMs = performance.now();
    probeBegunAtMs = begunAtMs;
    const over = (isPrompt: boolean) => {
      if (probeBegunAtMs !== begunAtMs) return;
      probeBegunAtMs = null;
      if (isPrompt && isAway) comeBack();
    };
    options.probe().then(
      () => over(performance.now() - begunAtMs <= options.timeoutMs),
      () => over(false),
    );
  }

  return {
    within(ask, otherwise) {
      if (isAway) return Promise.resolve(otherwise());
      return new Promise((resolve, reject) => {
        const fallBack = () => void Promise.resolve(otherwise()).then(resolve, reject);
        const pending: Pending = {
          askedAtTick: tick,
          isSettled: false,
          giveUp() {
            pending.isSettled = true;
            slowInARow += 1;
            if (slowInARow >= SLOW_ANSWERS_MAX) leave(new Error('three slow answers in a row'));
            fallBack();
          },
        };
        watch(pending);
        ask().then(
          (answer) => {
            if (pending.isSettled) return;
            pending.isSettled = true;
            slowInARow = 0;
            resolve(answer);
          },
          (error: unknown) => {
            if (pending.isSettled) return;
            pending.isSettled = true;
            leave(error);
            fallBack();
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

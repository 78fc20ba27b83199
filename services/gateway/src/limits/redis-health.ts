import { type PeriodicTask, periodicTask, waitAtMost } from '@waymark/service-kit/jobs';
import type { Logger } from '@waymark/service-kit/process';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';

/** Decides for each request whether Redis is asked or this replica limits by itself. */
export interface RedisHealth {
  /**
   * Returns the answer of `ask`, or of `fallback` when Redis fails, does not answer, or is known to be away.
   */
  withFallback<T>(ask: () => Promise<T>, fallback: () => Promise<T>): Promise<T>;
  /** Reports that the connection broke. */
  lost(cause: unknown): void;
  isAway(): boolean;
  stop(): void;
}

const TICK_MS = 10;
const SLOW_ROUNDS_MAX = 3;
const PROBE_MS = 200;
/** A connection on which a probe is unanswered for this long is replaced. */
const PROBE_LIMIT_MS = 2_000;

interface Pending {
  askedAtTick: number;
  giveUp: () => void;
}

/**
 * Redis counts as away when it fails, when it is slow (`timeoutMs`) in three rounds in a row, or when it does
 * not answer for three rounds; it is back when a probe is answered in time. A single slow answer is waited
 * for, because only Redis counts exactly. A round lasts one timeout: fifty answers that are late together
 * count once.
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
  const pending = new Set<Pending>();
  const clock = tickClock(onTick);
  const slowness = slownessMeter(roundTicks);
  let probing: PeriodicTask | null = null;

  function onTick(): void {
    const [oldest] = pending;
    if (oldest && clock.ticks() - oldest.askedAtTick > SLOW_ROUNDS_MAX * roundTicks) {
      markAway(new Error('no answer'));
    }
    if (pending.size === 0 && !probing) clock.pause();
  }

  function markAway(cause: unknown): void {
    if (probing) return;
    probing = periodicTask({ everyMs: PROBE_MS, run: probe, onError: () => undefined });
    probing.start();
    metrics.limiterInsurance.set(1);
    log.warn({ err: cause }, 'Redis is away or slow; this replica limits by itself');
    for (const { giveUp } of pending) giveUp();
    pending.clear();
  }

  async function probe(): Promise<void> {
    clock.run();
    const askedAtTick = clock.ticks();
    let isOver = false;
    const answer = options.probe().finally(() => {
      isOver = true;
    });
    await waitAtMost(answer, PROBE_LIMIT_MS);
    if (!isOver) options.reconnect();
    else if (clock.ticks() - askedAtTick <= roundTicks) markBack();
  }

  function markBack(): void {
    void probing?.stop();
    probing = null;
    slowness.reset();
    metrics.limiterInsurance.set(0);
    log.info('Redis is back');
  }

  return {
    withFallback(ask, fallback) {
      if (probing) return fallback();
      return new Promise((resolve, reject) => {
        const giveUp = () => void fallback().then(resolve, reject);
        const entry: Pending = { askedAtTick: clock.ticks(), giveUp };
        pending.add(entry);
        clock.run();
        ask().then(
          (answer) => {
            if (!pending.delete(entry)) return;
            slowness.record(entry.askedAtTick, clock.ticks());
            if (slowness.rounds() >= SLOW_ROUNDS_MAX)
              markAway(new Error('slow answers in three rounds in a row'));
            resolve(answer);
          },
          (error: unknown) => pending.has(entry) && markAway(error),
        );
      });
    },
    lost: markAway,
    isAway: () => probing !== null,
    stop() {
      void probing?.stop();
      clock.pause();
    },
  };
}

/** Counts the rounds in a row with slow answers. */
function slownessMeter(roundTicks: number) {
  let rounds = 0;
  let lastAtTick = 0;
  return {
    rounds: () => rounds,
    reset() {
      rounds = 0;
    },
    record(askedAtTick: number, tick: number) {
      if (tick - askedAtTick <= roundTicks) {
        rounds = 0;
      } else if (tick - lastAtTick >= roundTicks) {
        rounds += 1;
        lastAtTick = tick;
      }
    },
  };
}

/**
 * Counts time in ticks of the event loop's timers. A loop that was busy for 100 ms makes a single tick,
 * because Redis may have answered meanwhile.
 */
function tickClock(onTick: () => void) {
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    ticks: () => ticks,
    run() {
      timer ??= setInterval(() => {
        ticks += 1;
        onTick();
      }, TICK_MS).unref();
    },
    pause() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

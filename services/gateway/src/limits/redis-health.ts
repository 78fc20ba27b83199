import { type PeriodicTask, periodicTask, waitAtMost } from '@waymark/service-kit/jobs';
import type { Logger } from '@waymark/service-kit/process';
import type { GatewayMetrics } from '../gateway-metrics.ts';

export type RedisHealth = ReturnType<typeof redisHealth>;

const TICK_MS = 10;
const SLOW_ROUNDS_MAX = 3;
const PROBE_MS = 200;
/** A connection on which a probe is unanswered for this long is replaced. */
const PROBE_LIMIT_MS = 2_000;

/**
 * Redis counts as away when it fails, is slow in three rounds in a row, or does not answer for three rounds.
 * It is back when it answers a probe in time. The gateway waits for a single slow answer, because only Redis
 * counts exactly. A round lasts `timeoutMs`: fifty answers that are late together count once.
 */
export function redisHealth(options: {
  timeoutMs: number;
  probe: () => Promise<unknown>;
  reconnect: () => void;
  metrics: GatewayMetrics;
  log: Logger;
}) {
  const { metrics, log } = options;
  const roundTicks = Math.max(1, Math.ceil(options.timeoutMs / TICK_MS));
  // An array, for the same reason as the watched requests in caller-checks.ts.
  const pending: { askedAtTick: number; giveUp: () => void }[] = [];
  let slowRounds = 0;
  let slowAtTick = 0;
  let probing: PeriodicTask | null = null;
  // An event loop that was busy for long makes a single tick, because Redis may have answered meanwhile.
  let tick = 0;
  let clock: NodeJS.Timeout | undefined;
  const runClock = () => {
    clock ??= setInterval(onTick, TICK_MS).unref();
  };

  function pauseClock(): void {
    clearInterval(clock);
    clock = undefined;
  }

  function onTick(): void {
    tick += 1;
    // The first pending request has waited for the longest time.
    const [oldest] = pending;
    if (oldest && tick - oldest.askedAtTick > SLOW_ROUNDS_MAX * roundTicks) lost(new Error('no answer'));
    // An idle gateway does not wake up.
    if (pending.length === 0 && !probing) pauseClock();
  }

  function lost(cause: unknown): void {
    if (probing) return;
    probing = periodicTask({ everyMs: PROBE_MS, run: probe, onError: () => undefined });
    probing.start();
    metrics.limiterInsurance.set(1);
    log.warn({ err: cause }, 'Redis is away or slow; this replica limits by itself');
    for (const { giveUp } of pending.splice(0)) giveUp();
  }

  async function probe(): Promise<void> {
    runClock();
    const askedAtTick = tick;
    let isOver = false;
    const reply = options.probe().finally(() => {
      isOver = true;
    });
    await waitAtMost(reply, PROBE_LIMIT_MS);
    if (!isOver) options.reconnect();
    else if (tick - askedAtTick <= roundTicks) markBack();
  }

  function markBack(): void {
    void probing?.stop();
    probing = null;
    slowRounds = 0;
    metrics.limiterInsurance.set(0);
    log.info('Redis is back');
  }

  function recordReply(askedAtTick: number): void {
    if (tick - askedAtTick <= roundTicks) {
      slowRounds = 0;
    } else if (tick - slowAtTick >= roundTicks) {
      slowRounds += 1;
      slowAtTick = tick;
    }
    if (slowRounds >= SLOW_ROUNDS_MAX) lost(new Error('slow answers in three rounds in a row'));
  }

  return {
    /** Returns the answer of `ask`, or that of `fallback` when Redis fails, does not answer, or is away. */
    withFallback<T>(ask: () => Promise<T>, fallback: () => Promise<T>): Promise<T> {
      if (probing) return fallback();
      return new Promise((resolve, reject) => {
        const entry = { askedAtTick: tick, giveUp: () => void fallback().then(resolve, reject) };
        pending.push(entry);
        runClock();
        ask().then(
          (reply) => {
            const index = pending.indexOf(entry);
            if (index < 0) return;
            pending.splice(index, 1);
            recordReply(entry.askedAtTick);
            resolve(reply);
          },
          (error: unknown) => pending.includes(entry) && lost(error),
        );
      });
    },
    lost,
    isAway: () => probing !== null,
    stop(): void {
      void probing?.stop();
      pauseClock();
    },
  };
}

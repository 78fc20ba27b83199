import { performance } from 'node:perf_hooks';
import { quantile } from './quantile.ts';

const WARM_UP = { calls: 1_500, callers: 8, seconds: 0.5 };

export interface CallFigures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Returns the latencies in ms of the calls that `callers` concurrent callers start within `seconds`. */
export async function timesOf(
  callers: number,
  seconds: number,
  call: () => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        const startedAt = performance.now();
        await call();
        times.push(performance.now() - startedAt);
      }
    }),
  );
  return times;
}

/** Returns the latencies in ms of calls that start at a constant rate, independent of their duration. */
export async function timesAt(
  perSecond: number,
  seconds: number,
  call: () => Promise<void>,
): Promise<number[]> {
  const startedAt = performance.now();
  const begin = async (turn: number) => {
    const waitMs = startedAt + (turn * 1000) / perSecond - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
    const begunAt = performance.now();
    await call();
    return performance.now() - begunAt;
  };
  return Promise.all(Array.from({ length: Math.floor(perSecond * seconds) }, (_, turn) => begin(turn)));
}

/** Calls until V8 has compiled the hot code of each process. */
export async function warmUp(call: () => Promise<void>, processes: number): Promise<void> {
  for (let calls = 0; calls < WARM_UP.calls * processes; )
    calls += (await timesOf(WARM_UP.callers, WARM_UP.seconds, call)).length;
}

export const figuresOf = (times: readonly number[], seconds: number): CallFigures => ({
  perSecond: times.length / seconds,
  p50Ms: quantile(times, 0.5),
  p99Ms: quantile(times, 0.99),
});

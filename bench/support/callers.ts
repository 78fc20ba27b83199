import { performance } from 'node:perf_hooks';
import { quantile } from './quantile.ts';

export interface CallFigures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Makes `count` calls, numbered from 1, by `callers` concurrent callers. */
export async function makeCalls(
  count: number,
  callers: number,
  call: (n: number) => Promise<unknown>,
): Promise<void> {
  let made = 0;
  const caller = async () => {
    while (made < count) await call(++made);
  };
  await Promise.all(Array.from({ length: callers }, caller));
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

export const figuresOf = (times: readonly number[], seconds: number): CallFigures => ({
  perSecond: times.length / seconds,
  p50Ms: quantile(times, 0.5),
  p99Ms: quantile(times, 0.99),
});

import { performance } from 'node:perf_hooks';

export interface CallFigures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** How long each of the calls took, in ms, that `callers` at once began within `seconds`. */
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

export function figuresOf(unsorted: readonly number[], seconds: number): CallFigures {
  const times = unsorted.toSorted((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

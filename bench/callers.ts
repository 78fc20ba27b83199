import { performance } from 'node:perf_hooks';

export interface CallFigures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Runs `call` by `callers` at once for `seconds`, after a warm-up of a fifth of that; throws with the first failure. */
export async function runCallers(
  callers: number,
  seconds: number,
  call: () => Promise<void>,
): Promise<CallFigures> {
  const times: number[] = [];
  const warmUntil = performance.now() + seconds * 200;
  const until = warmUntil + seconds * 1000;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        const startedAt = performance.now();
        await call();
        if (startedAt >= warmUntil) times.push(performance.now() - startedAt);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

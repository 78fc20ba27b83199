import { quantile } from '../support/quantile.ts';

/** Each class has one pass, and more until there are enough samples or the time is over. */
const SAMPLES = 5_000;
const CLASS_MS = 8_000;
/** With a million items, a query of the peer can take a quarter of a second; the time limit then applies. */
const WARM_UP_PASSES = 3;
const WARM_UP_MS = 2_000;

export interface Ask {
  name: string;
  ask: (q: string) => Promise<string[]>;
}

export interface Figures {
  p50: number;
  p99: number;
  max: number;
  hits: number;
}

/**
 * Sends all queries of a class to each peer in turn, pass by pass, so that other load affects all of them
 * and each is warm.
 */
export async function measure(queries: readonly string[], asks: readonly Ask[]): Promise<Figures[]> {
  const runs = asks.map(() => ({ times: [] as number[], hits: 0 }));
  const begunAt = performance.now();
  const isEnough = (passes: number) =>
    passes >= 1 && (passes * queries.length >= SAMPLES || performance.now() - begunAt > CLASS_MS);
  for (let pass = 0; !isEnough(pass); pass += 1) {
    for (const [i, { ask }] of asks.entries()) {
      for (const q of queries) {
        const startedAt = performance.now();
        const found = await ask(q);
        runs[i]!.times.push(performance.now() - startedAt);
        runs[i]!.hits += found.length;
      }
    }
  }
  return runs.map(({ times, hits }) => ({
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: quantile(times, 1),
    hits,
  }));
}

/** Warms up each peer: every query three times, or as many as a few seconds allow. */
export async function warmUp(queries: readonly string[], asks: readonly Ask[]): Promise<void> {
  for (const { ask } of asks) {
    const begunAt = performance.now();
    for (const q of Array.from({ length: WARM_UP_PASSES }, () => queries).flat()) {
      await ask(q);
      if (performance.now() - begunAt > WARM_UP_MS) break;
    }
  }
}

import { quantile } from './quantile.ts';

/** Of each class: at least these passes; more until the figures rest on enough samples, or it takes too long. */
const PASSES_MIN = 2;
const SAMPLES = 1_000;
const CLASS_MS = 10_000;
/** Of a million items a query of the peer can take a tenth of a second: then once has to do. */
const WARM_UP_PASSES = 3;
const WARM_UP_CLASS_MS = 2_000;

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

/** Asks each all of a class in turn, pass by pass: whatever else the machine does falls on all of them, and each is warm. */
export async function measure(queries: readonly string[], asks: readonly Ask[]): Promise<Figures[]> {
  const runs = asks.map(() => ({ times: [] as number[], hits: 0 }));
  const begunAt = performance.now();
  const isEnough = (passes: number) =>
    passes >= PASSES_MIN && (passes * queries.length >= SAMPLES || performance.now() - begunAt > CLASS_MS);
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

/** Every query at least once, of everyone. */
export async function warmUp(queries: readonly string[], asks: readonly Ask[]): Promise<void> {
  for (const { ask } of asks) {
    const begunAt = performance.now();
    for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) {
      if (pass > 0 && performance.now() - begunAt > WARM_UP_CLASS_MS) break;
      for (const q of queries) await ask(q);
    }
  }
}

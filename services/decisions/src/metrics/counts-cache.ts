interface Entry<T> {
  counts: Promise<T>;
  /** Null until the count begins. */
  countedAtMs: number | null;
  isStale: boolean;
  keptMs: number;
}

/** Limits the time that is spent on counting an unchanged workspace to a tenth. */
const KEPT_TIMES_COUNTING = 10;
const KEPT_MAX_MS = 5_000;

/** Keeps counts ten times as long as counting took, at most 5 s; other processes' changes show after that. */
export function createCountsCache<T>({ now, entriesMax }: { now: () => number; entriesMax: number }) {
  const entries = new Map<string, Entry<T>>();

  const isUsable = ({ countedAtMs, isStale, keptMs }: Entry<T>) =>
    countedAtMs === null || (!isStale && Math.abs(now() - countedAtMs) <= keptMs);

  function begin(count: () => Promise<T>, previous: Promise<T> | undefined): Entry<T> {
    const entry = { countedAtMs: null, isStale: false, keptMs: Number.POSITIVE_INFINITY } as Entry<T>;
    entry.counts = run();
    return entry;

    async function run(): Promise<T> {
      await previous?.catch(() => undefined);
      const startedAtMs = performance.now();
      entry.countedAtMs = now();
      try {
        return await count();
      } catch (error) {
        entry.isStale = true;
        throw error;
      } finally {
        entry.keptMs = Math.min(KEPT_MAX_MS, KEPT_TIMES_COUNTING * (performance.now() - startedAtMs));
      }
    }
  }

  return {
    /** Callers share one count of a workspace or other key; two counts of one never run at the same time. */
    get(key: string, count: () => Promise<T>): Promise<T> {
      const known = entries.get(key);
      if (known && isUsable(known)) return known.counts;
      const entry = begin(count, known?.counts);
      // The first key of a map is the one inserted first: the one that was counted longest ago.
      entries.delete(key);
      if (entries.size >= entriesMax) entries.delete(entries.keys().next().value!);
      entries.set(key, entry);
      return entry.counts;
    },
    /** Call it after each change of what is counted: later counts include the change. */
    forget(key: string): void {
      const known = entries.get(key);
      // A count that waits for the one before it will include the change.
      if (known && known.countedAtMs !== null) known.isStale = true;
    },
  };
}

export type CountsCache<T> = ReturnType<typeof createCountsCache<T>>;

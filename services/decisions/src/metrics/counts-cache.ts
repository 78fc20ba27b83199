/** Keeps the counts of each workspace for a short time. */
export interface CountsCache<T> {
  /** Callers share one count of their workspace; two counts of one workspace never run at the same time. */
  get(workspaceId: string): Promise<T>;
  /**
   * To be called after each change of a workspace: later calls of `get` return counts that include the
   * change.
   */
  forget(workspaceId: string): void;
}

interface Entry<T> {
  counts: Promise<T>;
  hasBegun: boolean;
  isStale: boolean;
  countedAtMs: number;
  keptMs: number;
}

const WORKSPACES_MAX = 10_000;
/** Limits the time that is spent on counting an unchanged workspace to a tenth. */
const KEPT_TIMES_COUNTING = 10;
const KEPT_MAX_MS = 5_000;

/**
 * Keeps counts ten times as long as counting took, at most 5 s: those of a small workspace for a few
 * milliseconds. Changes by other processes become visible after that time.
 */
export function createCountsCache<T>(
  count: (workspaceId: string) => Promise<T>,
  now: () => number,
): CountsCache<T> {
  const entries = new Map<string, Entry<T>>();

  const isUsable = ({ hasBegun, isStale, countedAtMs, keptMs }: Entry<T>) =>
    !hasBegun || (!isStale && Math.abs(now() - countedAtMs) <= keptMs);

  function begin(workspaceId: string, previous: Promise<T> | undefined): Entry<T> {
    const state = { hasBegun: false, isStale: false, countedAtMs: 0, keptMs: Number.POSITIVE_INFINITY };
    const entry: Entry<T> = Object.assign(state, { counts: run() });
    return entry;

    async function run(): Promise<T> {
      await previous?.catch(() => undefined);
      const startedAtMs = performance.now();
      Object.assign(state, { hasBegun: true, countedAtMs: now() });
      try {
        return await count(workspaceId);
      } catch (error) {
        state.isStale = true;
        throw error;
      } finally {
        state.keptMs = Math.min(KEPT_MAX_MS, KEPT_TIMES_COUNTING * (performance.now() - startedAtMs));
      }
    }
  }

  return {
    get(workspaceId) {
      const known = entries.get(workspaceId);
      if (known && isUsable(known)) return known.counts;
      const entry = begin(workspaceId, known?.counts);
      // The first key of a map is the one inserted first: the workspace that was counted longest ago.
      entries.delete(workspaceId);
      if (entries.size >= WORKSPACES_MAX) entries.delete(entries.keys().next().value!);
      entries.set(workspaceId, entry);
      return entry.counts;
    },
    forget(workspaceId) {
      const known = entries.get(workspaceId);
      // A count that waits for the one before it will include the change.
      if (known?.hasBegun) known.isStale = true;
    },
  };
}

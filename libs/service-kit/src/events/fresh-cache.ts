import { ApiError } from '@waymark/contracts';
import { boundedCache } from '../jobs/bounded-cache.ts';
import type { Invalidations, Tags } from './invalidations.ts';

export interface Loaded<T> {
  value: T;
  tags: Tags;
}

export interface FreshCache<T> {
  /** Returns the value if it is cached and fresh, without a promise; for the hot path. */
  peek(key: string): T | undefined;
  get(key: string): Promise<T>;
  size(): number;
}

interface Entry<T> extends Loaded<T> {
  loadedAtMs: number;
  epoch: number;
}

const LIFETIME_MS = 30_000;
/** The lifetime while no announcements arrive. */
const AWAY_LIFETIME_MS = 5_000;
const LOAD_ATTEMPTS = 5;

/**
 * Creates a bounded cache of look-ups that other processes can invalidate. At most one look-up per key is in
 * flight. If an announcement invalidates a value while it loads, the value is discarded and loaded again.
 */
export function freshCache<T extends object | null>(options: {
  load: (key: string) => Promise<Loaded<T>>;
  invalidations: Invalidations;
  now: () => number;
  max: number;
}): FreshCache<T> {
  const { load, invalidations, now } = options;
  const entries = boundedCache<string, Entry<T>>(options.max);
  const loading = new Map<string, Promise<T>>();

  const isCurrent = ({ epoch, tags }: Entry<T>) =>
    epoch === invalidations.epoch() && !invalidations.isStale(tags);

  function peek(key: string): T | undefined {
    const entry = entries.get(key);
    const lifetimeMs = invalidations.healthy() ? LIFETIME_MS : AWAY_LIFETIME_MS;
    return entry && now() - entry.loadedAtMs < lifetimeMs && isCurrent(entry) ? entry.value : undefined;
  }

  async function loadFresh(key: string): Promise<T> {
    for (let attempt = 0; attempt < LOAD_ATTEMPTS; attempt += 1) {
      const begun = { loadedAtMs: now(), epoch: invalidations.epoch() };
      const entry = { ...(await load(key)), ...begun };
      if (isCurrent(entry)) {
        entries.set(key, entry);
        return entry.value;
      }
    }
    throw new ApiError('SERVICE_UNAVAILABLE', { message: 'The caller’s rights keep changing; try again.' });
  }

  return {
    peek,
    async get(key) {
      const known = peek(key);
      if (known !== undefined) return known;
      const running = loading.get(key);
      if (running) return running;
      const started = loadFresh(key).finally(() => loading.delete(key));
      loading.set(key, started);
      return started;
    },
    size: () => entries.size,
  };
}

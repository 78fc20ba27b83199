import type { EndpointRecord } from '../store/index.ts';
import type { EndpointLeases } from './endpoint-lease.ts';

/** The greatest age of settings when an attempt begins. */
const SETTINGS_AGE_MS = 1_000;
/** How long settings are used that were too old on arrival, because the store was slow. */
const LATE_ANSWER_MS = 100;

export type Permission = ReturnType<typeof createPermission>;

/**
 * Decides whether this process may send to an endpoint, by its lease, its secret and its settings. Reads the
 * settings again when they are too old. `refuse` runs when `request` finds that this process may not send.
 */
export function createPermission(options: {
  read: () => Promise<EndpointRecord | null>;
  leases: EndpointLeases;
  canSign: (endpoint: EndpointRecord) => boolean;
  refuse: (isEnabled: boolean) => Promise<void>;
}) {
  const { read, leases, canSign, refuse } = options;
  let endpoint: EndpointRecord | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  let freshUntilMs = Number.NEGATIVE_INFINITY;

  const isFresh = () => readAtMs > changedAtMs && performance.now() < freshUntilMs;
  const enabled = () => (endpoint?.enabled && endpoint.deleted_at === null ? endpoint : null);

  /** Keeps settings whose reading began at `atMs` (performance.now), unless later ones are known. */
  function keep(found: EndpointRecord | null, atMs: number): void {
    if (atMs <= readAtMs) return;
    endpoint = found;
    readAtMs = atMs;
    freshUntilMs = atMs + SETTINGS_AGE_MS;
  }

  return {
    keep,
    endpoint: () => endpoint,
    ageMs: () => performance.now() - readAtMs,
    /** Whether an attempt may begin now, as far as is known without a request. */
    isGranted(): boolean {
      const open = enabled();
      return open !== null && isFresh() && canSign(open) && leases.maySend(open);
    },
    /** Reads the settings and acquires the lease as needed; returns whether this process may send. */
    async request(): Promise<boolean> {
      while (!isFresh()) {
        const startedAtMs = performance.now();
        keep(await read(), startedAtMs);
        freshUntilMs = Math.max(freshUntilMs, performance.now() + LATE_ANSWER_MS);
      }
      const open = enabled();
      if (open && canSign(open) && (leases.maySend(open) || (await leases.acquire(open)))) return true;
      // Another process may enable the endpoint at any time, so the next request reads it again.
      if (!open) changedAtMs = performance.now();
      await refuse(open !== null);
      return false;
    },
    invalidate() {
      changedAtMs = performance.now();
    },
  };
}

import { followSubject, type Nats } from '@waymark/service-kit/events';
import { boundedCache } from '@waymark/service-kit/jobs';
import type { ProjectionState } from './store/index.ts';

/** A state is read again after this time: not every change is announced, and an announcement may be lost. */
const LIFETIME_MS = 1_000;
const ENTRIES_MAX = 10_000;

/**
 * Caches the states of projections, so that a search need not read MongoDB. Replicas announce the changes of
 * events over plain NATS; without NATS, every search reads.
 */
export function revisionCache(options: {
  nats: Pick<Nats, 'connection' | 'onConnect' | 'subscribe'>;
  subject: string;
  read: (workspaceId: string) => Promise<ProjectionState | null>;
  now: () => number;
}) {
  const { nats, subject, read, now } = options;
  // Reads under way are entries too: after an announcement, the result of an earlier read is not used.
  const entries = boundedCache<string, { state: Promise<ProjectionState | null>; readAtMs: number }>(
    ENTRIES_MAX,
  );
  const forget = (workspaceId: string) => void entries.delete(workspaceId);
  followSubject(nats, subject, forget, () => entries.clear());

  return {
    /** Returns the state of a workspace's projection, read again after an announced change. */
    get(workspaceId: string): Promise<ProjectionState | null> {
      if (!nats.connection()) return read(workspaceId);
      const known = entries.get(workspaceId);
      if (known && now() - known.readAtMs < LIFETIME_MS) return known.state;
      const entry = { state: read(workspaceId), readAtMs: now() };
      entries.set(workspaceId, entry);
      entry.state.catch(() => entries.peek(workspaceId) === entry && entries.delete(workspaceId));
      return entry.state;
    },

    /** Announces to every replica that a projection may have changed. */
    announce(workspaceId: string): void {
      forget(workspaceId);
      nats.connection()?.publish(subject, workspaceId);
    },
  };
}

export type RevisionCache = ReturnType<typeof revisionCache>;

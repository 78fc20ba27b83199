import { followSubject, type Nats } from '@waymark/service-kit/events';
import { boundedCache } from '@waymark/service-kit/jobs';
import type { Change } from './projection/events.ts';
import type { ProjectionState, SearchStore } from './store/index.ts';

/** A state is read again after this time, in case an announcement was lost. */
const LIFETIME_MS = 1_000;
const ENTRIES_MAX = 10_000;
const EVERY_WORKSPACE = '';

/**
 * Caches the states of projections, so that a search need not read MongoDB. Each process that changes a
 * projection announces the change over plain NATS; without NATS, every search reads.
 */
export function revisionCache(options: {
  nats: Pick<Nats, 'connection' | 'onConnect' | 'onDisconnect' | 'subscribe'>;
  subject: string;
  read: (workspaceId: string) => Promise<ProjectionState | null>;
  now: () => number;
}) {
  const { nats, subject, read, now } = options;
  const entries = boundedCache<string, { state: ProjectionState; readAtMs: number }>(ENTRIES_MAX);
  /** Reads under way. An announcement removes the read of its workspace, whose result is then not kept. */
  const reading = new Map<string, Promise<ProjectionState | null>>();

  function forgetAll(): void {
    entries.clear();
    reading.clear();
  }

  function forget(workspaceId: string): void {
    if (workspaceId === EVERY_WORKSPACE) forgetAll();
    entries.delete(workspaceId);
    reading.delete(workspaceId);
  }

  followSubject(nats, subject, forget);
  nats.onDisconnect(forgetAll);
  nats.onConnect(async (connection) => {
    // Announcements are missed until the server has the subscription.
    await connection.flush();
    forgetAll();
  });

  async function readNow(workspaceId: string): Promise<ProjectionState | null> {
    const readAtMs = now();
    const started = read(workspaceId);
    reading.set(workspaceId, started);
    try {
      const state = await started;
      const isCurrent = reading.get(workspaceId) === started;
      if (isCurrent) entries.delete(workspaceId);
      if (isCurrent && state && nats.connection()) entries.set(workspaceId, { state, readAtMs });
      return state;
    } finally {
      if (reading.get(workspaceId) === started) reading.delete(workspaceId);
    }
  }

  function announce(workspaceId: string): void {
    forget(workspaceId);
    nats.connection()?.publish(subject, workspaceId);
  }

  return {
    /** Returns the state of a workspace's projection, read again after an announced change. */
    get(workspaceId: string): ProjectionState | Promise<ProjectionState | null> {
      const found = entries.get(workspaceId);
      const isFresh = found && nats.connection() && now() - found.readAtMs < LIFETIME_MS;
      return isFresh ? found.state : (reading.get(workspaceId) ?? readNow(workspaceId));
    },

    /** Returns the store, which then announces each change to every replica before the change resolves. */
    announcing: <S extends Pick<SearchStore, 'project' | 'purge' | 'renewIndexes'>>(store: S): S => ({
      ...store,
      // Announces a failure too: the commit may have succeeded although MongoDB's response was lost.
      project: (workspaceId: string, changes: readonly Change[]) =>
        store.project(workspaceId, changes).finally(() => announce(workspaceId)),
      purge: (workspaceId: string) => store.purge(workspaceId).finally(() => announce(workspaceId)),
      renewIndexes: () => store.renewIndexes().finally(() => announce(EVERY_WORKSPACE)),
    }),
  };
}

export type RevisionCache = ReturnType<typeof revisionCache>;

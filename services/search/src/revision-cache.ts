import type { Nats } from '@waymark/service-kit/events';
import type { ProjectionState, SearchStore } from './store/index.ts';

/** A state is read again after this, in case an announcement was lost. */
const LIFETIME_MS = 1_000;
const ENTRIES_MAX = 10_000;
const EVERY_WORKSPACE = '';

interface Entry {
  state: ProjectionState;
  readAtMs: number;
}

export interface RevisionCache {
  /**
   * Returns the state of a workspace's projection: as stored, or as last read when no change has been
   * announced since.
   */
  get(workspaceId: string): ProjectionState | Promise<ProjectionState | null>;
  /**
   * Returns the store with each change announced to every replica before its caller learns that the change
   * is done.
   */
  announcing<S extends Pick<SearchStore, 'project' | 'purge' | 'renewIndexes'>>(store: S): S;
}

/**
 * Caches the states of projections, so that a search need not read MongoDB. Each process that changes a
 * projection announces the change over plain NATS; without NATS, every search reads.
 */
export function revisionCache(options: {
  nats: Pick<Nats, 'connection' | 'onConnect' | 'onDisconnect'>;
  subject: string;
  read: (workspaceId: string) => Promise<ProjectionState | null>;
  now: () => number;
}): RevisionCache {
  const { nats, subject, read, now } = options;
  const entries = new Map<string, Entry>();
  /**
   * Reads under way. An announcement removes its workspace's read, whose result is then neither shared nor
   * kept.
   */
  const reading = new Map<string, Promise<ProjectionState | null>>();
  let isSubscribed = false;

  function forgetAll(): void {
    entries.clear();
    reading.clear();
  }

  function forget(workspaceId: string): void {
    if (workspaceId === EVERY_WORKSPACE) forgetAll();
    entries.delete(workspaceId);
    reading.delete(workspaceId);
  }

  nats.onDisconnect(forgetAll);
  nats.onConnect(async (connection) => {
    forgetAll();
    if (isSubscribed) return;
    isSubscribed = true;
    const subscription = connection.subscribe(subject);
    await connection.flush();
    forgetAll();
    for await (const message of subscription) forget(message.string());
  });

  async function readNow(workspaceId: string): Promise<ProjectionState | null> {
    const readAtMs = now();
    const started = read(workspaceId);
    reading.set(workspaceId, started);
    try {
      const state = await started;
      const isCurrent = reading.get(workspaceId) === started;
      if (isCurrent) entries.delete(workspaceId);
      if (isCurrent && state && nats.connection()) {
        if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value!);
        entries.set(workspaceId, { state, readAtMs });
      }
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
    get(workspaceId) {
      const found = entries.get(workspaceId);
      const isFresh = found && nats.connection() && now() - found.readAtMs < LIFETIME_MS;
      return isFresh ? found.state : (reading.get(workspaceId) ?? readNow(workspaceId));
    },

    announcing: (store) => ({
      ...store,
      // A failure is announced too: a commit may have succeeded although its answer was lost.
      project: (workspaceId: string, changes) =>
        store.project(workspaceId, changes).finally(() => announce(workspaceId)),
      purge: (workspaceId: string) => store.purge(workspaceId).finally(() => announce(workspaceId)),
      renewIndexes: () => store.renewIndexes().finally(() => announce(EVERY_WORKSPACE)),
    }),
  };
}

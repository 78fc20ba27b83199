import type { Nats } from '@waymark/service-kit/events';
import type { ProjectionState, SearchStore } from './store/index.ts';

/** A state is read again after this, should an announcement have been lost. */
const TRUST_MS = 1_000;
/** From this age on it is read behind the search that asks for it, so that none waits where they come often. */
const READ_AHEAD_MS = TRUST_MS / 2;
const KNOWN_MAX = 10_000;
const EVERY_WORKSPACE = '';

interface Known {
  state: ProjectionState;
  readAtMs: number;
}

export interface KnownStates {
  /** The state of a workspace's projection: as the store has it, or as it had it when nothing has been announced since. */
  of(workspaceId: string): ProjectionState | Promise<ProjectionState | null>;
  /** The same store, which tells every replica of what it changes before its caller learns that it is done. */
  announcing<S extends Pick<SearchStore, 'project' | 'purge' | 'renewIndexes'>>(store: S): S;
}

/**
 * What this replica need not ask MongoDB for at every search. Whoever changes a projection announces it over plain NATS;
 * while that is away, every search asks.
 */
export function knownStates(options: {
  nats: Pick<Nats, 'connection' | 'onConnect' | 'onDisconnect'>;
  subject: string;
  read: (workspaceId: string) => Promise<ProjectionState | null>;
  now: () => number;
}): KnownStates {
  const { nats, subject, read, now } = options;
  const known = new Map<string, Known>();
  /** What an announcement overtakes is neither shared nor kept. */
  const reading = new Map<string, Promise<ProjectionState | null>>();
  let isSubscribed = false;

  function forgetAll(): void {
    known.clear();
    reading.clear();
  }

  function forget(workspaceId: string): void {
    if (workspaceId === EVERY_WORKSPACE) forgetAll();
    known.delete(workspaceId);
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

  function keep(workspaceId: string, state: ProjectionState | null, readAtMs: number): void {
    known.delete(workspaceId);
    if (!state || !nats.connection()) return;
    if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value!);
    known.set(workspaceId, { state, readAtMs });
  }

  function readNow(workspaceId: string): Promise<ProjectionState | null> {
    const readAtMs = now();
    const begun = read(workspaceId)
      .then((state) => {
        if (reading.get(workspaceId) === begun) keep(workspaceId, state, readAtMs);
        return state;
      })
      .finally(() => {
        if (reading.get(workspaceId) === begun) reading.delete(workspaceId);
      });
    reading.set(workspaceId, begun);
    return begun;
  }

  function announce(workspaceId: string): void {
    forget(workspaceId);
    nats.connection()?.publish(subject, workspaceId);
  }

  return {
    of(workspaceId) {
      const found = known.get(workspaceId);
      const ageMs = found && nats.connection() ? now() - found.readAtMs : TRUST_MS;
      if (!found || ageMs >= TRUST_MS) return reading.get(workspaceId) ?? readNow(workspaceId);
      // Its failure is met by the search that waits for the next one.
      if (ageMs >= READ_AHEAD_MS && !reading.has(workspaceId)) readNow(workspaceId).catch(() => undefined);
      return found.state;
    },

    announcing: (store) => ({
      ...store,
      // Also after a failure: a commit may have taken place though its answer was lost.
      project: (workspaceId: string, changes) =>
        store.project(workspaceId, changes).finally(() => announce(workspaceId)),
      purge: (workspaceId: string) => store.purge(workspaceId).finally(() => announce(workspaceId)),
      renewIndexes: () => store.renewIndexes().finally(() => announce(EVERY_WORKSPACE)),
    }),
  };
}

import { periodicTask } from '@waymark/service-kit/jobs';
import { failureLog, type Logger } from '@waymark/service-kit/process';
import type { FindRequest, Found } from '../query/find-hits.ts';
import type { ProjectionState, SearchStore } from '../store/index.ts';
import { type IndexHandle, indexHandle } from './index-handle.ts';
import { indexThreads } from './index-threads.ts';

interface LocalIndexesOptions {
  store: Pick<SearchStore, 'changesAfter' | 'state'>;
  threads: number;
  /** The most that all indexes take in their files. */
  maxBytes: number;
  /** About the most that all indexes take in memory. */
  maxMemoryBytes: number;
  /** How long a search waits for the changes that an index lacks. */
  waitMs?: number;
  log: Logger;
  now: () => number;
}

class NoRoom extends Error {}

/** A search waits for at most this many missing changes, about a tenth of a second; for more it scans. */
const WAIT_CHANGES = 2_000;
/** The longest that a search waits for missing changes, because texts may be long and the thread busy. */
const WAIT_MS = 300;
/** Shorter than the life of a tombstone, so that no index misses a deletion. */
const IDLE_MS = 24 * 3_600_000;
const SWEEP_MS = 600_000;
/** How long a workspace gets no index after a failure. Its searches scan in the meantime. */
const FAILURE_PAUSE_MS = 60_000;
const NO_ROOM_PAUSE_MS = 600_000;
/** An index used this recently is not dropped for another: the two would keep replacing each other. */
const HOLD_MS = 60_000;

/**
 * This replica's indexes: built in the background of a workspace's first searches, kept current from the
 * projection, and dropped when they are the least recently used and all indexes together are too large.
 */
export function localIndexes(options: LocalIndexesOptions) {
  const { store, waitMs = WAIT_MS, log, now } = options;
  const threads = indexThreads({ count: options.threads, onLost: forgetThread });
  const pauses = indexPauses(options);
  /** In the order of their last use. */
  const indexes = new Map<string, IndexHandle>();

  function forgetThread(lost: number, error: Error): void {
    log.error({ err: error }, 'an index thread ended; its indexes are built again');
    for (const workspaceId of indexes.keys()) if (threads.threadOf(workspaceId) === lost) drop(workspaceId);
  }

  function drop(workspaceId: string): void {
    indexes.get(workspaceId)?.drop();
    indexes.delete(workspaceId);
  }

  function giveUp(workspaceId: string, index: IndexHandle, error: unknown): void {
    if (indexes.get(workspaceId) === index) drop(workspaceId);
    pauses.add(workspaceId, error);
  }

  function open(workspaceId: string, epoch: string): IndexHandle {
    drop(workspaceId);
    const onGrowth = () => makeRoom(indexes, index, { ...options, drop });
    const onFailure = (error: unknown) => giveUp(workspaceId, index, error);
    const using = { store, threads, now, onGrowth, onFailure };
    const index: IndexHandle = indexHandle({ workspaceId, epoch, ...using });
    indexes.set(workspaceId, index);
    return index;
  }

  /** Drops indexes unused for a day and indexes of deleted workspaces; runs every ten minutes. */
  async function sweep(): Promise<void> {
    for (const [workspaceId, index] of [...indexes]) {
      const isWanted = now() - index.usedAtMs <= IDLE_MS && (await store.state(workspaceId)) !== null;
      if (!isWanted && indexes.get(workspaceId) === index) drop(workspaceId);
    }
  }

  const failures = failureLog(log, 'unused indexes not dropped; retried later');
  const sweeps = periodicTask({ everyMs: SWEEP_MS, run: sweep, ...failures });
  sweeps.start();

  return {
    /** Returns the hits as of the state or later; null while there is no index or it lags too far behind. */
    async find(
      workspaceId: string,
      { epoch, revision }: ProjectionState,
      request: FindRequest,
    ): Promise<Found | null> {
      if (pauses.leftMs(workspaceId) > 0) return null;
      const known = indexes.get(workspaceId);
      const index = known?.epoch === epoch ? known : open(workspaceId, epoch);
      // Moves the index to the end of the map, whose order is the order of use.
      indexes.delete(workspaceId);
      indexes.set(workspaceId, index);
      index.usedAtMs = now();
      if (index !== known || index.lag(revision) > WAIT_CHANGES) {
        void index.catchUp();
        return null;
      }
      if (!(await index.reaches(revision, waitMs))) return null;
      return index.find(request).catch((error) => {
        giveUp(workspaceId, index, error);
        return null;
      });
    },

    /** Whether the workspace has been too large for an index beside those of others. */
    isTooLarge: pauses.isForRoom,
    count: () => indexes.size,
    bytes: () => sumOf(indexes, 'fileBytes'),
    sweep,

    async stop(): Promise<void> {
      pauses.stop();
      await sweeps.stop();
      await threads.stop();
    },
  };
}

export type LocalIndexes = ReturnType<typeof localIndexes>;

/** Workspaces that get no index for a while. */
function indexPauses({ log, now }: Pick<LocalIndexesOptions, 'log' | 'now'>) {
  const paused = new Map<string, { untilMs: number; isForRoom: boolean }>();
  let isStopped = false;
  const leftMs = (workspaceId: string) => (paused.get(workspaceId)?.untilMs ?? 0) - now();
  return {
    leftMs,
    isForRoom: (workspaceId: string) => leftMs(workspaceId) > 0 && paused.get(workspaceId)!.isForRoom,
    add(workspaceId: string, err: unknown): void {
      if (isStopped) return;
      for (const [other, { untilMs }] of paused) if (now() > untilMs) paused.delete(other);
      const isForRoom = err instanceof NoRoom;
      const untilMs = now() + (isForRoom ? NO_ROOM_PAUSE_MS : FAILURE_PAUSE_MS);
      paused.set(workspaceId, { untilMs, isForRoom });
      // Logs at most once a minute for each workspace, which gets no new index during its pause.
      log.warn({ err, workspace_id: workspaceId }, 'index dropped; searches scan until it is built again');
    },
    stop() {
      isStopped = true;
    },
  };
}

function sumOf(indexes: ReadonlyMap<string, IndexHandle>, size: 'fileBytes' | 'memoryBytes'): number {
  return [...indexes.values()].reduce((sum, index) => sum + index[size], 0);
}

/** Drops the least recently used indexes until all fit. Throws NoRoom when the growing one does not fit. */
function makeRoom(
  indexes: ReadonlyMap<string, IndexHandle>,
  growing: IndexHandle,
  limits: Pick<LocalIndexesOptions, 'maxBytes' | 'maxMemoryBytes' | 'now'> & { drop: (id: string) => void },
): void {
  const { maxBytes, maxMemoryBytes, now, drop } = limits;
  const isTooMuch = () =>
    sumOf(indexes, 'fileBytes') > maxBytes || sumOf(indexes, 'memoryBytes') > maxMemoryBytes;
  for (const [workspaceId, index] of indexes) {
    if (!isTooMuch()) return;
    if (index !== growing && now() - index.usedAtMs > HOLD_MS) drop(workspaceId);
  }
  if (isTooMuch()) throw new NoRoom('no room for the index');
}

import { MEBIBYTE, UNAVAILABLE_RETRY_SECONDS } from '@waymark/contracts';
import { waitAtMost } from '@waymark/service-kit/jobs';
import type { Logger } from '@waymark/service-kit/process';
import type { FindRequest } from '../query/find-hits.ts';
import { type FoundText, NOTHING_FOUND_TEXT } from '../query/hits-json.ts';
import type { ChangesPortion, ProjectionState, SearchStore } from '../store/index.ts';
import { indexThreads } from './index-threads.ts';
import { type NewestRows, newestRows } from './newest-rows.ts';
import { isAbsent, type TrigramBuckets } from './trigram-counts.ts';

export interface LocalIndexes {
  /**
   * Begins a search at once, in the hope that nothing is lacking, while the caller learns of the projection's state. Given
   * that, the hits as of it or later; null while there is no index or it is too far behind, which is mended behind it.
   */
  ask(workspaceId: string, request: FindRequest): (state: ProjectionState) => Promise<FoundText | null>;
  /** When a search will be answered, about, by the pace at which the index takes in what it lacks of a state. */
  secondsUntil(workspaceId: string, state: ProjectionState): number;
  /** Whether the workspace has been too large for an index beside those of others. */
  isWithoutRoom(workspaceId: string): boolean;
  count(): number;
  bytes(): number;
  /** Drops what nobody has used for a day, and what is left of deleted workspaces; runs by itself every ten minutes. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

interface Entry {
  epoch: string;
  /** The index has all that the projection had at this revision; before it is begun, less than any projection has. */
  revision: number;
  bytes: number;
  memoryBytes: number;
  /** Of each kind. The thread writes to them while the index catches up, and not otherwise. */
  trigrams: readonly TrigramBuckets[];
  /** As of the revision. */
  newest: NewestRows;
  usedAtMs: number;
  catchingUp: Promise<void> | null;
  /** Where it last began to catch up. */
  begun: { revision: number; atMs: number };
}

class NoRoom extends Error {}

const NOT_BEGUN = -1;
const PORTION_CHANGES = 1_000;
/** A search waits for this many changes to be taken in, about a tenth of a second; when there are more, it scans. */
const WAIT_CHANGES = 2_000;
/** Nor does it wait longer: their texts may be long, and the thread busy. */
const WAIT_MS = 300;
const ENTRY_BYTES_MIN = MEBIBYTE;
/**
 * What SQLite holds in memory of an index: its own, its cache of pages, and postings that wait for a segment. Measured with 100
 * to 40,000 rows; its cache and what waits have bounds.
 */
const ENTRY_MEMORY = { bytesMin: 2 * MEBIBYTE, ofEachByte: 3, bytesMax: 32 * MEBIBYTE };
/** Tombstones live longer: no index is kept past those that it has not seen. */
const IDLE_MS = 24 * 3_600_000;
const SWEEP_MS = 600_000;
/** After a failure; the searches of that workspace scan in the meantime. */
const FAILURE_PAUSE_MS = 60_000;
/** Where there was no room: an index used within the hold is not dropped for another's sake, or they would take turns. */
const NO_ROOM_PAUSE_MS = 600_000;
const HOLD_MS = 60_000;
/** A pace is a guess: so often it is looked at again. */
const RETRY_SECONDS_MAX = 60;

/**
 * This replica's indexes: built behind the first searches of a workspace, kept current from the projection, dropped when
 * they are the least used and all together too large.
 */
export function localIndexes(options: {
  store: Pick<SearchStore, 'changesAfter' | 'state'>;
  threads: number;
  /** Of all indexes in their files. */
  maxBytes: number;
  /** Of all indexes in memory, about. */
  maxMemoryBytes: number;
  /** Of each kind, at hand without a thread. Default: a thousand. */
  newestRowsMax?: number;
  /** For the changes that an index lacks. */
  waitMs?: number;
  log: Logger;
  now: () => number;
}): LocalIndexes {
  const { store, newestRowsMax, waitMs = WAIT_MS, log, now } = options;
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  const paused = new Map<string, { untilMs: number; isForRoom: boolean }>();
  const threads = indexThreads({ count: options.threads, onLost: forgetThread });
  let stopped = false;

  function forgetThread(lost: number, error: Error): void {
    log.error({ err: error }, 'an index thread ended; its indexes are built again');
    for (const workspaceId of entries.keys())
      if (threads.threadOf(workspaceId) === lost) entries.delete(workspaceId);
  }

  const sumOf = (size: 'bytes' | 'memoryBytes') =>
    [...entries.values()].reduce((sum, entry) => sum + entry[size], 0);
  const isTooMuch = () => sumOf('bytes') > options.maxBytes || sumOf('memoryBytes') > options.maxMemoryBytes;

  const pausedMs = (workspaceId: string) => (paused.get(workspaceId)?.untilMs ?? 0) - now();

  function drop(workspaceId: string): void {
    entries.delete(workspaceId);
    threads.run('drop', workspaceId, {}).catch(() => undefined);
  }

  function giveUp(workspaceId: string, entry: Entry, error: unknown): void {
    // Also when all is stopped: whoever waits for it to catch up would begin that again and again.
    if (entries.get(workspaceId) === entry) drop(workspaceId);
    if (stopped) return;
    log.warn(
      { err: error, workspace_id: workspaceId },
      'index given up; searches scan until it is built again',
    );
    const isForRoom = error instanceof NoRoom;
    paused.set(workspaceId, {
      untilMs: now() + (isForRoom ? NO_ROOM_PAUSE_MS : FAILURE_PAUSE_MS),
      isForRoom,
    });
  }

  function open(workspaceId: string, epoch: string): Entry {
    const { bytesMin: memoryBytes } = ENTRY_MEMORY;
    const nothing = { revision: NOT_BEGUN, bytes: ENTRY_BYTES_MIN, memoryBytes, trigrams: [] };
    const newest = newestRows(newestRowsMax);
    const begun = { revision: NOT_BEGUN, atMs: now() };
    const entry = { epoch, ...nothing, newest, usedAtMs: now(), catchingUp: null, begun };
    entries.set(workspaceId, entry);
    return entry;
  }

  /** Makes an entry the one used last. */
  function touch(workspaceId: string, entry: Entry): void {
    entries.delete(workspaceId);
    entries.set(workspaceId, entry);
    entry.usedAtMs = now();
  }

  /** What an index takes to reach a revision, at its pace so far. */
  function lackMs({ begun, revision: reached }: Entry, revision: number): number {
    return ((revision - reached) * (now() - begun.atMs)) / Math.max(1, reached - begun.revision);
  }

  function makeRoomFor(growing: string, entry: Entry): void {
    for (const [workspaceId, { usedAtMs }] of entries) {
      if (!isTooMuch()) return;
      if (workspaceId !== growing && now() - usedAtMs > HOLD_MS) drop(workspaceId);
    }
    if (isTooMuch()) giveUp(growing, entry, new NoRoom('no room for the index'));
  }

  /** Fails with the portion before it: an index has no gaps. */
  async function apply(
    workspaceId: string,
    entry: Entry,
    portion: ChangesPortion,
    before: Promise<void> | undefined,
  ): Promise<void> {
    const { bytes, trigrams } = await threads.run('apply', workspaceId, { changes: portion.changes });
    await before;
    entry.trigrams = trigrams;
    entry.newest.take(portion.changes);
    entry.revision = portion.revision;
    entry.bytes = Math.max(bytes, ENTRY_BYTES_MIN);
    const { bytesMin, ofEachByte, bytesMax } = ENTRY_MEMORY;
    entry.memoryBytes = Math.min(bytesMin + ofEachByte * bytes, bytesMax) + entry.newest.bytes();
    makeRoomFor(workspaceId, entry);
  }

  /** While the thread takes in one portion, the next one waits there and the one after is read. */
  async function takeIn(workspaceId: string, entry: Entry): Promise<void> {
    let applying: Promise<void> | undefined;
    let waiting: Promise<void> | undefined;
    for await (const portion of store.changesAfter(workspaceId, entry.revision, PORTION_CHANGES)) {
      await applying;
      if (entries.get(workspaceId) !== entry) return;
      applying = waiting;
      waiting = apply(workspaceId, entry, portion, applying);
      // Its failure is met by a later await; until then it must not count as unhandled.
      waiting.catch(() => undefined);
    }
    await waiting;
  }

  /** One at a time for each index; whoever comes while it runs may need another one after it. */
  function catchUp(workspaceId: string, entry: Entry): Promise<void> {
    if (entry.catchingUp) return entry.catchingUp;
    entry.begun = { revision: entry.revision, atMs: now() };
    entry.catchingUp = takeIn(workspaceId, entry)
      .catch((error) => giveUp(workspaceId, entry, error))
      .finally(() => {
        entry.catchingUp = null;
      });
    return entry.catchingUp;
  }

  async function sweep(): Promise<void> {
    for (const [workspaceId, { untilMs }] of paused) if (now() > untilMs) paused.delete(workspaceId);
    for (const [workspaceId, entry] of [...entries]) {
      const isWanted = now() - entry.usedAtMs <= IDLE_MS && (await store.state(workspaceId)) !== null;
      if (!isWanted && entries.get(workspaceId) === entry) drop(workspaceId);
    }
  }

  const sweepTimer = setInterval(() => {
    sweep().catch((error) => log.warn({ err: error }, 'indexes not looked through; tried again later'));
  }, SWEEP_MS);
  sweepTimer.unref();

  /** What an index has: told by its newest rows where they can, as it takes longer to wake the thread than to look there. */
  async function findIn(workspaceId: string, entry: Entry, request: FindRequest): Promise<FoundText> {
    return (await entry.newest.find(request)) ?? threads.run('find', workspaceId, { request });
  }

  async function find(
    workspaceId: string,
    { epoch, revision }: ProjectionState,
    request: FindRequest,
  ): Promise<FoundText | null> {
    if (pausedMs(workspaceId) > 0) return null;
    const known = entries.get(workspaceId);
    if (known && known.epoch !== epoch) drop(workspaceId);
    const entry = known?.epoch === epoch ? known : open(workspaceId, epoch);
    touch(workspaceId, entry);
    if (entry !== known || revision - entry.revision > WAIT_CHANGES) {
      void catchUp(workspaceId, entry);
      return null;
    }
    const isLacking = () => entry.revision < revision && entries.get(workspaceId) === entry;
    async function untilComplete() {
      while (isLacking()) await catchUp(workspaceId, entry);
    }
    if (isLacking()) await waitAtMost(untilComplete(), waitMs);
    if (isLacking() || entries.get(workspaceId) !== entry) return null;
    return findIn(workspaceId, entry, request).catch((error) => {
      giveUp(workspaceId, entry, error);
      return null;
    });
  }

  /** What an index that is not catching up has now. What occurs nowhere is told without its thread. */
  async function findNow(workspaceId: string, entry: Entry, request: FindRequest): Promise<FoundText | null> {
    const { trigrams } = entry;
    if (trigrams.length > 0 && trigrams.every((buckets) => isAbsent(request.q, buckets)))
      return NOTHING_FOUND_TEXT;
    return findIn(workspaceId, entry, request).catch(() => null);
  }

  return {
    ask(workspaceId, request) {
      const entry = entries.get(workspaceId);
      const isReady = entry && !entry.catchingUp;
      const asOf = isReady && { epoch: entry.epoch, revision: entry.revision };
      const found = isReady && findNow(workspaceId, entry, request);
      return async (state) => {
        const isCurrent = asOf && asOf.epoch === state.epoch && asOf.revision >= state.revision;
        const hits = isCurrent ? await found : null;
        if (!hits) return find(workspaceId, state, request);
        if (entry && entries.get(workspaceId) === entry) touch(workspaceId, entry);
        return hits;
      };
    },

    secondsUntil(workspaceId, { epoch, revision }) {
      const entry = entries.get(workspaceId);
      const takesMs = entry?.epoch === epoch ? lackMs(entry, revision) : 0;
      const seconds = Math.max(takesMs, pausedMs(workspaceId)) / 1_000;
      return Math.min(Math.max(seconds, UNAVAILABLE_RETRY_SECONDS), RETRY_SECONDS_MAX);
    },

    isWithoutRoom: (workspaceId) => pausedMs(workspaceId) > 0 && paused.get(workspaceId)!.isForRoom,

    count: () => entries.size,
    bytes: () => sumOf('bytes'),
    sweep,

    async stop() {
      stopped = true;
      clearInterval(sweepTimer);
      await threads.stop();
    },
  };
}

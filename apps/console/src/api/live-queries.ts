import type { Query, QueryClient } from '@tanstack/react-query';
import { declarationOf, isChangedBy } from './changes-with.ts';
import { isRefused } from './is-refused.ts';
import { followLiveEvents, type LiveEvent } from './live-events.ts';
import { queryKeys } from './query-keys.ts';

/** Gathers the events of one change. */
const GATHER_MS = 250;
/** A session has 100 reads a minute. Live reads use 30 at once, then 40 a minute. */
const READS_AT_ONCE = 30;
const MS_PER_READ = 1_500;
/** Secondary queries leave this many reads to the list or record that the page is about. */
const READS_FOR_LISTS = 20;
const FRESH_MS = 5_000;
/** Pauses before data that another service derives from events is read again; each is twice the last. */
const MIN_DERIVE_PAUSE_MS = 1_000;
const MAX_DERIVE_PAUSE_MS = 30_000;

/**
 * Reads the queries on the page again when an event changes them, and others when they are shown again,
 * until the returned function is called.
 */
export function followWorkspace(workspaceId: string, queryClient: QueryClient): () => void {
  let heard = new Map<string, LiveEvent>();
  /** Queries on the page that wait for the limit. */
  const late = new Set<Query>();
  /** When derived queries are read once more, because the last time may have been too early. */
  let deriveAt = Number.POSITIVE_INFINITY;
  let derivePauseMs = MIN_DERIVE_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  /** When all reads of a burst are allowed again: a token bucket, kept as a time (GCRA). */
  let fullAt = 0;
  /** The user's own change of the inbox whose event has come. */
  let known: object | undefined;

  function isWithinLimit(query: Query): boolean {
    const now = Date.now();
    const reads = pagesOf(query.state.data);
    const available = READS_AT_ONCE - Math.max(0, fullAt - now) / MS_PER_READ;
    const left = isSecondary(query) ? READS_FOR_LISTS : 0;
    if (available - left < Math.min(reads, READS_AT_ONCE)) return false;
    fullAt = Math.max(fullAt, now) + reads * MS_PER_READ;
    return true;
  }

  function readAgain(isStale: (query: Query) => boolean): void {
    const stale = queryClient
      .getQueryCache()
      .findAll({ predicate: ({ queryKey: [scope, id] }) => scope !== 'workspace' || id === workspaceId })
      .filter((query) => query.state.data !== undefined || isFirstRead(query))
      .filter((query) => late.has(query) || isStale(query))
      .toSorted((a, b) => Number(isSecondary(a)) - Number(isSecondary(b)));
    late.clear();
    for (const query of stale) {
      // The first read may have begun before the change. A query that is not on the page is read when it is
      // shown again.
      if (isFirstRead(query) || (query.isActive() && !isWithinLimit(query))) late.add(query);
      else void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
    if (late.size > 0) planWithin(MS_PER_READ);
  }

  function readChanged(): void {
    const now = Date.now();
    const changes = [...heard.values()];
    const isDeriveDue = now >= deriveAt;
    heard = new Map();
    dueAt = Number.POSITIVE_INFINITY;
    if (changes.length > 0) derivePauseMs = MIN_DERIVE_PAUSE_MS;
    else if (isDeriveDue) derivePauseMs *= 2;
    if (changes.length > 0 || isDeriveDue) {
      deriveAt = derivePauseMs < MAX_DERIVE_PAUSE_MS ? now + derivePauseMs : Number.POSITIVE_INFINITY;
    }
    readAgain((query) => {
      const declaration = declarationOf(query);
      const isDerived = declaration.changesWith === 'every event';
      return (isDeriveDue && isDerived) || changes.some((event) => isChangedBy(event, declaration));
    });
    planWithin(deriveAt - now);
  }

  function planWithin(pauseMs: number): void {
    const at = Date.now() + pauseMs;
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(readChanged, at - Date.now());
  }

  const stop = followLiveEvents(workspaceId, {
    onEvent(event) {
      heard.set(`${event.type} ${event.subject.id}`, event);
      planWithin(GATHER_MS);
    },
    onInbox() {
      // The page reads after its own change, also a failed one, and would read again for the event of it. A
      // change is pending until then.
      const own = queryClient
        .getMutationCache()
        .find({ mutationKey: queryKeys.notifications, status: 'pending' });
      if (own && own !== known) known = own;
      else readAgain((query) => declarationOf(query).changesWith.includes('inbox'));
    },
    // A page was read just before its stream opens: secondary queries wait until they are older.
    onGap: () =>
      readAgain(
        (query) =>
          !isFirstRead(query) &&
          isChangedBy(null, declarationOf(query)) &&
          (!isSecondary(query) || Date.now() - query.state.dataUpdatedAt > FRESH_MS),
      ),
    // The page stays as it is: it may have input that can still be copied.
    isRefused: () => isRefused(workspaceId, () => undefined),
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

const isFirstRead = ({ state }: Query) => state.data === undefined && state.fetchStatus === 'fetching';

const isSecondary = (query: Query) => declarationOf(query).isSecondary === true;

const pagesOf = (data: unknown) => (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1;

import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { concerns, isDerived } from './concerns.ts';
import { isRefused } from './is-refused.ts';
import { followLiveEvents, type LiveEvent } from './live-events.ts';
import { queryKeys } from './query-keys.ts';

/** Gathers the events of one change. */
const GATHER_MS = 250;
/** A session has 100 reads a minute. Live reads use 30 at once, then 40 a minute. */
const READS_AT_ONCE = 30;
const MS_PER_READ = 1_500;
/** Facets and figures leave this many reads to the list or record that the page is about. */
const READS_FOR_LISTS = 20;
const FRESH_MS = 5_000;
/** Pauses before a query that another service answers late is read again; each is twice the last. */
const MIN_DERIVE_PAUSE_MS = 1_000;
const MAX_DERIVE_PAUSE_MS = 30_000;

/**
 * Reads the queries on the page again when an event concerns them, and others when they are shown again,
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
  const readSession = () => void queryClient.invalidateQueries({ queryKey: queryKeys.session });
  const readInbox = () => void queryClient.invalidateQueries({ queryKey: queryKeys.notifications });

  function isWithinLimit(query: Query): boolean {
    const now = Date.now();
    const reads = pagesOf(query.state.data);
    const available = READS_AT_ONCE - Math.max(0, fullAt - now) / MS_PER_READ;
    const left = isDetail(query.queryKey) ? READS_FOR_LISTS : 0;
    if (available - left < Math.min(reads, READS_AT_ONCE)) return false;
    fullAt = Math.max(fullAt, now) + reads * MS_PER_READ;
    return true;
  }

  function readAgain(isStale: (query: Query) => boolean): void {
    const stale = queryClient
      .getQueryCache()
      .findAll({ queryKey: queryKeys.workspace(workspaceId) })
      .filter((query) => query.state.data !== undefined && (late.has(query) || isStale(query)))
      .toSorted((a, b) => Number(isDetail(a.queryKey)) - Number(isDetail(b.queryKey)));
    late.clear();
    for (const query of stale) {
      // A query that is not on the page is read when it is shown again.
      if (query.isActive() && !isWithinLimit(query)) late.add(query);
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
    readAgain(
      ({ queryKey }) =>
        (isDeriveDue && isDerived(queryKey)) || changes.some((change) => concerns(change, queryKey)),
    );
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
      if (event.type === 'workspace.updated' || event.type === 'billing.plan_changed') readSession();
      planWithin(GATHER_MS);
    },
    // A page was read just before its stream opens: only what it is about is read again at once.
    onInbox: readInbox,
    onGap: () => {
      readInbox();
      readAgain(
        ({ queryKey, state }) =>
          concerns(null, queryKey) && (!isDetail(queryKey) || Date.now() - state.dataUpdatedAt > FRESH_MS),
      );
    },
    onLiveness: () => undefined,
    // The page stays as it is: it may have input that can still be copied.
    isRefused: () => isRefused(workspaceId, () => undefined),
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

const DETAILS = ['facets', 'overdue', 'stats'];
const isDetail = (key: QueryKey) =>
  key[2] === 'metrics' || key.some((part) => DETAILS.includes(String(part)));

const pagesOf = (data: unknown) => (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1;

import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { concerns, isDerived } from './concerns.ts';
import { isRefused } from './is-refused.ts';
import { followLiveEvents, type LiveEvent } from './live-events.ts';
import { queryKeys } from './query-keys.ts';

/** Gathers the events of one change. */
const GATHER_MS = 250;
/** A session has 100 reads a minute; live reads use a fifth of them. */
const MS_PER_READ = 3_000;
const FRESH_MS = 5_000;
/** The longest pause before a query is read again whose answer another service may not have yet. */
const MAX_DERIVE_PAUSE_MS = 30_000;

/**
 * Reads the queries on the page again when an event concerns them, and others when they are shown again,
 * until the returned function is called.
 */
export function followWorkspace(workspaceId: string, queryClient: QueryClient): () => void {
  let heard = new Map<string, LiveEvent>();
  /** The pause before derived queries are read once more, because the last time may have been too early. */
  let derivePauseMs = MAX_DERIVE_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let notBefore = 0;
  const readSession = () => void queryClient.invalidateQueries({ queryKey: queryKeys.session });

  function readAgain(isStale: (key: QueryKey, readAt: number) => boolean): void {
    const stale = queryClient
      .getQueryCache()
      .findAll({ queryKey: queryKeys.workspace(workspaceId) })
      .filter(({ queryKey, state }) => state.data !== undefined && isStale(queryKey, state.dataUpdatedAt));
    const reads = stale.reduce((sum, query) => sum + (query.isActive() ? pagesOf(query.state.data) : 0), 0);
    notBefore = Date.now() + reads * MS_PER_READ;
    // What is not on the page is read when it is shown again.
    for (const { queryKey } of stale) void queryClient.invalidateQueries({ queryKey, exact: true });
  }

  function readChanged(): void {
    dueAt = Number.POSITIVE_INFINITY;
    const changes = [...heard.values()];
    heard = new Map();
    derivePauseMs = changes.length > 0 ? MS_PER_READ : derivePauseMs * 2;
    readAgain((key) => isDerived(key) || changes.some((change) => concerns(change, key)));
    if (derivePauseMs < MAX_DERIVE_PAUSE_MS) planWithin(derivePauseMs);
  }

  function planWithin(pauseMs: number): void {
    const at = Math.max(Date.now() + pauseMs, notBefore);
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
    onGap: () =>
      readAgain((key, readAt) => concerns(null, key) && (!isDetail(key) || Date.now() - readAt > FRESH_MS)),
    onLiveness: () => undefined,
    // The page stays as it is: it may have input that can still be copied.
    isRefused: () => isRefused(workspaceId, () => undefined),
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

const DETAILS = ['facets', 'quality', 'outcomes', 'history', 'links', 'overdue', 'stats'];
const isDetail = (key: QueryKey) =>
  key[2] === 'metrics' || key.some((part) => DETAILS.includes(String(part)));

const pagesOf = (data: unknown) => (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1;

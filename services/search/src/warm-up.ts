import type { Logger } from '@waymark/service-kit/process';
import type { LocalIndexes } from './index/local-indexes.ts';
import type { SearchStore } from './store/index.ts';

/** A scan of a workspace with fewer changes ends in time. */
const LARGE_REVISION = 10_000;
const WORKSPACES_MAX = 100;
/** Less than the two minutes that the chart gives a container to start. */
const WARM_UP_MS = 90_000;

/**
 * Builds the indexes of the largest workspaces, one after another. A new replica that had to scan them would
 * answer 503 where the one that it replaces did not.
 */
export async function warmUp(service: {
  store: Pick<SearchStore, 'largest'>;
  indexes: Pick<LocalIndexes, 'build'>;
  log: Logger;
  now: () => number;
}): Promise<void> {
  const { store, indexes, log, now } = service;
  const untilMs = now() + WARM_UP_MS;
  try {
    for (const { workspaceId, ...state } of await store.largest(LARGE_REVISION, WORKSPACES_MAX)) {
      if (now() >= untilMs) return;
      await indexes.build(workspaceId, state, untilMs - now());
    }
  } catch (err) {
    log.warn({ err }, 'the indexes of large workspaces are built when they are searched');
  }
}

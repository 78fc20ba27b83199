import type { EventEnvelope } from '@waymark/contracts';
import { createBatcher } from '@waymark/service-kit/jobs';
import { type Change, changesOf } from './projection/events.ts';
import type { RevisionCache } from './revision-cache.ts';
import type { SearchStore } from './store/index.ts';

const CHANGES_PER_BATCH = 256;
/** Workspaces whose batches are written at once. */
const WORKSPACES_AT_ONCE = 8;

/** Returns the handler that projects events. Simultaneous events of a workspace share a transaction. */
export function createProjectEvents(
  store: Pick<SearchStore, 'project'>,
  announce: RevisionCache['announce'],
): (event: EventEnvelope) => Promise<void> {
  const batcher = createBatcher<Change[]>({
    // Announces a failure too: the commit may have succeeded although MongoDB's response was lost.
    run: (changes, workspaceId) =>
      store.project(workspaceId, changes.flat()).finally(() => announce(workspaceId)),
    maxSize: CHANGES_PER_BATCH,
    sizeOf: (changes) => changes.length,
    keysAtOnce: WORKSPACES_AT_ONCE,
  });

  return async (event) => {
    if (event.workspace_id === null) return;
    const changes = changesOf(event);
    if (changes.length > 0) await batcher.add(changes, event.workspace_id);
  };
}

import type { EventEnvelope } from '@waymark/contracts';
import { createBatcher } from '@waymark/service-kit/jobs';
import { type Change, changesOf } from './projection/events.ts';
import type { SearchStore } from './store/index.ts';

const CHANGES_PER_BATCH = 256;
/** Workspaces whose batches are written at once. */
const WORKSPACES_AT_ONCE = 8;

/** Returns the handler that projects events. Simultaneous events of a workspace share a transaction. */
export function createProjectEvents(
  store: Pick<SearchStore, 'project' | 'purge'>,
): (event: EventEnvelope) => Promise<void> {
  const batcher = createBatcher<Change[]>({
    run: (changes, workspaceId) => store.project(workspaceId, changes.flat()),
    maxSize: CHANGES_PER_BATCH,
    sizeOf: (changes) => changes.length,
    keysAtOnce: WORKSPACES_AT_ONCE,
  });

  return async (event) => {
    if (event.workspace_id === null) return;
    if (event.type === 'workspace.deleted') {
      while (!(await store.purge(event.workspace_id)).is_done);
      return;
    }
    const changes = changesOf(event);
    if (changes.length > 0) await batcher.add(changes, event.workspace_id);
  };
}

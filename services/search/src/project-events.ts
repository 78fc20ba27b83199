import type { EventEnvelope } from '@waymark/contracts';
import { batchByKey } from './batch-by-key.ts';
import { type Change, changesOf } from './projection/events.ts';
import type { SearchStore } from './store/index.ts';

const CHANGES_PER_BATCH = 256;
/** Workspaces whose batches are written at once. */
const WORKSPACES_AT_ONCE = 8;

/** Takes events into the projection; events of one workspace that come together share a transaction. */
export function createProjectEvents(
  store: Pick<SearchStore, 'project' | 'purge'>,
): (event: EventEnvelope) => Promise<void> {
  const project = batchByKey<Change[]>({
    work: (workspaceId, changes) => store.project(workspaceId, changes.flat()),
    weightPerBatch: CHANGES_PER_BATCH,
    weigh: (changes) => changes.length,
    keysAtOnce: WORKSPACES_AT_ONCE,
  });

  return async (event) => {
    if (event.workspace_id === null) return;
    if (event.type === 'workspace.deleted') {
      while (!(await store.purge(event.workspace_id)).is_done);
      return;
    }
    const changes = changesOf(event);
    if (changes.length > 0) await project(event.workspace_id, changes);
  };
}

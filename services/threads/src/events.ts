import { deletedNodes, type EventEnvelope } from '@waymark/contracts';
import type { WorkspacePurge } from '@waymark/service-kit/store';
import type { Store } from './store/index.ts';

/**
 * Removes the threads of deleted nodes. Idempotent and correct in any order, because it compares the version
 * of a deletion.
 */
export function handleDeletedNodes(store: Store, { deletedAmong }: Pick<WorkspacePurge, 'deletedAmong'>) {
  return async (event: EventEnvelope): Promise<void> => {
    if (event.workspace_id === null) throw new Error(`event ${event.id} names nodes without a workspace`);
    if ((await deletedAmong([event.workspace_id])).size > 0) return;
    await store.removeNodes(event.workspace_id, deletedNodes(event));
  };
}

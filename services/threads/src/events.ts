import { deletedNodes, type EventEnvelope } from '@waymark/contracts';
import type { Store } from './store.ts';

/** Removes the threads of nodes that are gone. Idempotent, and right in any order: the version of a deletion decides. */
export function handleDeletedNodes(store: Store) {
  return async (event: EventEnvelope): Promise<void> => {
    if (event.workspace_id === null) throw new Error(`event ${event.id} tells of nodes in no workspace`);
    await store.removeNodes(event.workspace_id, deletedNodes(event));
  };
}

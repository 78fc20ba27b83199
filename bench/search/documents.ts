import type { Change } from '../../services/search/src/projection/events.ts';
import { planProjection } from '../../services/search/src/projection/plan.ts';
import { type ItemDocument, keyOf } from '../../services/search/src/store/items.ts';

/** Documents of the search projection for new records of a workspace, starting after a revision. */
export function documentsOf(
  workspaceId: string,
  changes: readonly Change[],
  revision: number,
): ItemDocument[] {
  const { writes } = planProjection(changes, new Map(), revision);
  return writes.map(({ live, ...item }) => {
    const { created_ms, preferred: position, folded, payload } = live!;
    const _id = keyOf(workspaceId, `${item.kind}/${item.id}`);
    return { _id, workspace_id: workspaceId, ...item, created_ms, position, folded, payload };
  });
}

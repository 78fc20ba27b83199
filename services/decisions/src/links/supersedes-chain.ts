import type { DecisionStore, Session } from '../store/index.ts';
import type { LinkFields } from '../store/links-query.ts';

/**
 * Yields the decisions that supersede one of `ids`, then those that supersede these, and so on; each decision
 * once. A step reads at most `limit` decisions, all of them by default.
 */
export async function* supersedingSteps(
  store: DecisionStore,
  workspaceId: string,
  ids: readonly string[],
  options?: { limit?: number; session?: Session },
): AsyncGenerator<LinkFields[]> {
  const seen = new Set(ids);
  let last = ids;
  while (last.length > 0) {
    const found = await store.superseding(workspaceId, last, options);
    const fresh = found.filter(({ id }) => !seen.has(id));
    if (fresh.length > 0) yield fresh;
    last = fresh.map(({ id }) => id);
    for (const id of last) seen.add(id);
  }
}

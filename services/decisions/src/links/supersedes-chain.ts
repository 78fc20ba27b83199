import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';
import type { LinkFields } from '../store/links.ts';

/** Yields the decisions that supersede `ids`, then those that supersede these: each once, `limit` a step. */
export async function* supersedingSteps(
  store: DecisionStore,
  workspaceId: string,
  ids: readonly string[],
  options?: { limit?: number; session?: Transaction['session'] },
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

import type { DecisionFacets } from '@waymark/contracts';
import type { DecisionsContext } from '../context.ts';
import type { ListFilters } from '../store/list-query.ts';

/** Counts the decisions that match the filters, and the values to filter by. */
export function getDecisionFacets(
  { facets, scans, store, now }: DecisionsContext,
  workspaceId: string,
  filters: ListFilters,
): Promise<DecisionFacets> {
  const count = () => store.countFacets(workspaceId, filters, new Date(now()).toISOString());
  return facets(JSON.stringify([workspaceId, filters]), () => scans.runExclusive(workspaceId, count));
}

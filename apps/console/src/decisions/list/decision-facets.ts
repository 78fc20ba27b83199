import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { peopleQuery } from '../../workspace/people.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { decisionKeys } from '../decision-keys.ts';
import type { DecisionFilters } from '../views/decision-filters.ts';
import { queryOf } from './decision-list.ts';

/** How many decisions match, and what to filter by. */
export function decisionFacets(workspaceId: string, { sort: _, board: __, ...filters }: DecisionFilters) {
  return queryOptions({
    queryKey: [...decisionKeys.facets(workspaceId), filters],
    changesWith: ['decision.*', 'decisions.*'],
    isSecondary: true,
    queryFn: () => api.get('/decisions/facets', queryOf(workspaceId, filters)),
    placeholderData: keepPreviousData,
  });
}

/** The facets, with names for the authors of imported decisions, which are empty until they are read. */
export function useDecisionFacets(filters: DecisionFilters) {
  const { id: workspaceId } = useWorkspace();
  const { data: facets } = useQuery(decisionFacets(workspaceId, filters));
  const { data: people, isError } = useQuery({
    ...peopleQuery(workspaceId),
    enabled: facets?.authors.some(({ name }) => name === null) === true,
  });
  const nameOf = (id: string) =>
    people || isError ? (people?.find((one) => one.id === id)?.name ?? t.unknownAuthor(id.slice(-4))) : '';
  const authors = facets?.authors.map(({ id, name, count }) => ({
    id,
    name: name ?? nameOf(id),
    count,
  }));
  return facets && { ...facets, authors: authors ?? [] };
}

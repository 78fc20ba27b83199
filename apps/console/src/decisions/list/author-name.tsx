import { getRouteApi } from '@tanstack/react-router';
import { useDecisionFacets } from './decision-facets.ts';

const route = getRouteApi('/user/w/$workspaceId/decisions');

export default function AuthorName({ id }: { id: string }) {
  return useDecisionFacets(route.useSearch())?.authors.find((author) => author.id === id)?.name;
}

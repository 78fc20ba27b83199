import type { SearchResult } from '@waymark/contracts';
import type { Handlers, WorkspacePurge } from '@waymark/service-kit';
import type { SearchQuery } from './search.ts';

export function searchRoutes(
  search: (query: SearchQuery) => Promise<SearchResult>,
  purge: WorkspacePurge['purge'],
): Handlers<'search'> {
  return {
    search: ({ query }) => search(query),
    purgeSearch: ({ params }) => purge(params.id),
  };
}

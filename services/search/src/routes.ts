import type { Handlers, JsonParts, WorkspacePurge } from '@waymark/service-kit';
import type { SearchQuery } from './search.ts';

export function searchRoutes(
  search: (query: SearchQuery) => Promise<JsonParts>,
  purge: WorkspacePurge['purge'],
): Handlers<'search'> {
  return {
    search: ({ query }) => search(query),
    purgeSearch: ({ params }) => purge(params.id),
  };
}

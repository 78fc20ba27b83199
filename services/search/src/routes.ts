import type { Handlers, JsonParts } from '@waymark/service-kit/http';
import type { WorkspacePurge } from '@waymark/service-kit/store';
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

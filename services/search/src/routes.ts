import type { SearchResult } from '@waymark/contracts';
import type { Handlers } from '@waymark/service-kit';
import type { SearchQuery } from './search.ts';

export function searchRoutes(search: (query: SearchQuery) => Promise<SearchResult>): Handlers<'search'> {
  return {
    search: ({ query }) => search(query),
  };
}

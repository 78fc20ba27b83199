import type { Handlers } from '@waymark/service-kit/http';
import type { SearchContext } from './context.ts';
import { search } from './search.ts';

export function createRoutes(service: SearchContext): Handlers<'search'> {
  return {
    search: ({ ctx, query }) => search(service, ctx, query),
    findTitles: ({ body }) => service.store.titles(body.workspace_id, body.records),
    async purgeSearch({ params }) {
      // Changes that arrive later are dropped by this mark, in the transaction that projects them.
      await service.store.end(params.id);
      return service.workspaces.purge(params.id);
    },
  };
}

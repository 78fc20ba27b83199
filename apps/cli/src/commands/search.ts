import { rebuildSearch } from '@waymark/search/operator';
import { quietEnvironmentOf } from '../databases.ts';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Throws ApiError when a data service does not respond; finished steps stay done. */
export async function rebuildSearchProjection({ env, out }: Terminal): Promise<void> {
  const own: Terminal['env'] = quietEnvironmentOf('search', env);
  if (!own['MONGODB_URL']) throw new CommandError('MONGODB_URL is missing');
  for await (const { kind, read, removed } of rebuildSearch(own)) {
    out(`${kind}: ${read} read, ${removed} removed that no longer exist`);
  }
}

import { ApiError } from '@waymark/contracts';
import { rebuildSearch } from '@waymark/search/operator';
import { environmentOf } from '../databases.ts';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Throws CommandError when a data service does not respond; finished steps stay done. */
export async function rebuildSearchProjection({ env, out }: Terminal): Promise<void> {
  const own = environmentOf('search', env);
  if (!own['MONGODB_URL']) throw new CommandError('MONGODB_URL is missing');
  try {
    const steps = rebuildSearch({ ...own, LOG_LEVEL: env['LOG_LEVEL'] || 'silent' });
    for await (const { kind, read, removed } of steps) {
      out(`${kind}: ${read} read, ${removed} removed that no longer exist`);
    }
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

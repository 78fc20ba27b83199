import { nodeDeletionTypes } from '@waymark/contracts';
import { openService, type RunningService, type Seams } from '@waymark/service-kit';
import { readConfig } from './config.ts';
import { handleDeletedNodes } from './events.ts';
import { threadRoutes } from './routes.ts';
import { indexes, threadStore } from './store.ts';

export async function startThreads(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const runtime = openService('threads', readConfig(env), { indexes, seams });
  const store = threadStore(runtime.database, runtime.cursors);
  runtime.consume({ name: 'threads', types: nodeDeletionTypes, handle: handleDeletedNodes(store) });
  return runtime.serve(threadRoutes(runtime, store));
}

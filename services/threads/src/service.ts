import { nodeDeletionTypes } from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { readConfig } from './config.ts';
import { handleDeletedNodes } from './events.ts';
import { threadRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { ownedCollections, threadStore } from './store/index.ts';

export async function startThreads(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const runtime = openService(schema, readConfig(env), { seams });
  const store = threadStore(runtime.database, runtime.cursors);
  const purge = workspacePurge(runtime.database, ownedCollections);
  const handle = handleDeletedNodes(store, purge);
  runtime.consume({ name: 'threads', types: nodeDeletionTypes, handle });
  return runtime.serve(threadRoutes(runtime, store, purge));
}

import { deletedNodes, type EventEnvelope, nodeDeletionTypes } from '@waymark/contracts';
import { importPortions } from '@waymark/data-transfer';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { readConfig } from './config.ts';
import { createLiveNodes } from './live-nodes.ts';
import { threadRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { importStore } from './store/imports.ts';
import { ownedCollections, threadStore } from './store/index.ts';

export async function startThreads(env: Record<string, string | undefined>, seams?: Seams) {
  const runtime = openService(schema, readConfig(env), { seams });
  const { call, commit, database, now } = runtime;
  const store = threadStore(database, runtime.cursors);
  const { purge, deletedAmong } = workspacePurge(database, ownedCollections);

  /** Removes the threads of deleted nodes; correct in any order, because it compares versions. */
  async function handle(event: EventEnvelope): Promise<void> {
    if (event.workspace_id === null) throw new Error(`event ${event.id} names nodes without a workspace`);
    if ((await deletedAmong([event.workspace_id])).size > 0) return;
    await store.removeNodes(event.workspace_id, deletedNodes(event));
  }

  runtime.consume({ name: 'threads', types: nodeDeletionTypes, handle });
  const nodes = createLiveNodes(call, store);
  const storePortion = importPortions(runtime);
  const imports = importStore(database, store);
  const service = { commit, database, now, store, imports, nodes, storePortion };
  return runtime.serve(threadRoutes(service, purge));
}

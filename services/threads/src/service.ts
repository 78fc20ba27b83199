import { deletedNodes, type EventEnvelope, nodeDeletionTypes } from '@waymark/contracts';
import { importPortions } from '@waymark/data-transfer';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { readConfig } from './config.ts';
import { createLiveTopics } from './live-topics.ts';
import { mentionReader } from './mentions.ts';
import type { DeletedTopic } from './records.ts';
import { threadRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { importStore } from './store/imports.ts';
import { ownedCollections, threadStore } from './store/index.ts';

export async function startThreads(env: Record<string, string | undefined>, seams?: Seams) {
  const runtime = openService(schema, readConfig(env), { seams });
  const { call, commit, database, now } = runtime;
  const store = threadStore(database, runtime.cursors);
  const { purge, deletedAmong } = workspacePurge(database, ownedCollections);

  /** Removes the threads of deleted topics; correct in any order, because it compares versions. */
  async function handle(event: EventEnvelope): Promise<void> {
    if (event.workspace_id === null) throw new Error(`event ${event.id} names records without a workspace`);
    if ((await deletedAmong([event.workspace_id])).size > 0) return;
    await store.removeTopics(event.workspace_id, deletedTopics(event));
  }

  runtime.consume({ name: 'threads', types: [...nodeDeletionTypes, 'decision.deleted'], handle });
  const topics = createLiveTopics(call, store);
  const mentionedIn = mentionReader(call);
  const storePortion = importPortions(runtime);
  const imports = importStore(database, store);
  const service = { commit, database, now, store, imports, topics, mentionedIn, storePortion };
  return runtime.serve(threadRoutes(service, purge));
}

function deletedTopics(event: EventEnvelope): DeletedTopic[] {
  const { id, version } = event.subject;
  if (event.type === 'decision.deleted') return [{ kind: 'decision', id, version }];
  return deletedNodes(event).map((node) => ({ ...node, kind: 'node' }));
}

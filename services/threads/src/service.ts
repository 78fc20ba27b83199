import { deletedNodes, type EventEnvelope, events, nodeDeletionTypes } from '@waymark/contracts';
import { importPortions } from '@waymark/data-transfer';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { createLiveTopics } from './live-topics.ts';
import { mentionReader } from './mentions.ts';
import type { DeletedTopic } from './records.ts';
import { restoreTopics } from './restore.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { importStore } from './store/imports.ts';
import { openStore } from './store/index.ts';

export async function startThreads(env: Record<string, string | undefined>, seams?: Seams) {
  const runtime = openService(schema, readConfig(env), seams);
  const { call, commit, database, now, workspaces } = runtime;
  const store = openStore(database);

  /** Discards threads of deleted topics, restores those of restored ones. Versions allow any order. */
  async function handle(event: EventEnvelope): Promise<void> {
    if (event.workspace_id === null) throw new Error(`event ${event.id} names records without a workspace`);
    if ((await workspaces.deletedAmong([event.workspace_id])).size > 0) return;
    if (event.type.endsWith('.restored'))
      return restoreTopics({ store, commit, now }, event.workspace_id, restoredTopics(event));
    await store.removeTopics(event.workspace_id, deletedTopics(event), now());
  }

  const types = [...nodeDeletionTypes, 'decision.deleted', 'nodes.restored', 'decisions.restored'] as const;
  runtime.consume({ name: 'threads', types, handle });
  const topics = createLiveTopics(call, store);
  const mentionedIn = mentionReader(call);
  const storePortion = importPortions(runtime);
  const imports = importStore(database, store);
  return runtime.serve(createRoutes({ ...runtime, store, imports, topics, mentionedIn, storePortion }));
}

function deletedTopics(event: EventEnvelope): DeletedTopic[] {
  const { id, version } = event.subject;
  if (event.type === 'decision.deleted') return [{ kind: 'decision', id, version }];
  return deletedNodes(event).map((node) => ({ ...node, kind: 'node' }));
}

function restoredTopics({ type, data }: EventEnvelope): DeletedTopic[] {
  if (type === 'nodes.restored')
    return events[type].data.parse(data).nodes.map((node) => ({ ...node, kind: 'node' }));
  const { decisions } = events['decisions.restored'].data.parse(data);
  return decisions.map((decision) => ({ ...decision, kind: 'decision' }));
}

import { ApiError } from '@waymark/contracts';
import { snapshotExport } from '@waymark/data-transfer';
import { authorizeRecord, type Handlers, type RequestContext } from '@waymark/service-kit/http';
import { runBatch, type WorkspacePurge } from '@waymark/service-kit/store';
import type { ThreadsContext } from './context.ts';
import { deleteMessage, postMessage, updateMessage } from './messages.ts';
import { type LiveNode, messageView, threadView } from './records.ts';
import { exportSources } from './transfer/export-sources.ts';
import { importMessages, importThreads } from './transfer/import-threads.ts';

export function threadRoutes(service: ThreadsContext, purge: WorkspacePurge['purge']): Handlers<'threads'> {
  const { store, imports, nodes, database } = service;
  const exported = snapshotExport(database, exportSources);

  /** The workspace in the query, if any, must be that of the node. */
  async function nodeFor(
    ctx: RequestContext,
    id: string,
    query: { workspace_id?: string | undefined },
  ): Promise<LiveNode> {
    return authorizeRecord(ctx, await nodes.find(id), query.workspace_id);
  }

  const handlers: Handlers<'threads'> = {
    async countMessages({ ctx, query }) {
      return { data: await store.counts(ctx.access.workspaceId, query.node_ids) };
    },

    async getThread({ ctx, params, query }) {
      const node = await nodeFor(ctx, params.nodeId, query);
      const thread = await store.thread(node, node.generation);
      if (!thread) return { thread: null, messages: [], next_cursor: null };
      const { items, next_cursor } = await store.page(thread, query);
      return { thread: threadView(thread), messages: items.map(messageView), next_cursor };
    },

    async postMessage({ ctx, params, query, body }) {
      const found = await nodes.findCurrent(params.nodeId);
      const node = await authorizeRecord(ctx, found, query.workspace_id);
      return postMessage(service, ctx, node, body);
    },

    async getMessage({ ctx, params, query }) {
      const message = await store.message(await nodeFor(ctx, params.nodeId, query), params.id);
      if (!message) throw new ApiError('NOT_FOUND');
      return messageView(message);
    },

    async updateMessage({ ctx, params, query, body }) {
      return updateMessage(service, ctx, await nodeFor(ctx, params.nodeId, query), params.id, body);
    },

    async deleteMessage({ ctx, params, query }) {
      await deleteMessage(service, ctx, await nodeFor(ctx, params.nodeId, query), params.id);
    },

    applyMessageBatch: ({ ctx, body }) => runBatch(service.commit, ctx, body, handlers),

    beginThreadsExport: ({ query }) => exported.begin(query.workspace_id),
    readThreadsForExport: ({ query }) => exported.read(query),

    findTakenThreads: ({ body }) => imports.taken(body.workspace_id, body.collection, body.ids),
    importThreads: ({ body }) => importThreads(service, body),
    importMessages: ({ body }) => importMessages(service, body),

    purgeThreads: ({ params }) => purge(params.id),

    async snapshotMessages({ query: { after = '', limit } }) {
      const found = await store.snapshot(after, limit);
      const distinct = (field: 'workspace_id' | 'thread_id') => [...new Set(found.map((one) => one[field]))];
      const generations = await store.generations(distinct('workspace_id'), distinct('thread_id'));
      const data = found.map((record) => {
        const { workspace_id, version, thread_id } = record;
        const generation = generations.get(thread_id);
        return { workspace_id, version, generation, message: messageView(record) };
      });
      return { data };
    },
  };
  return handlers;
}

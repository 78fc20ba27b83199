import type { Emoji, MessageCreate, MessageUpdate } from '@waymark/contracts';
import { snapshotExport } from '@waymark/data-transfer';
import { authorizeRecord, type Handlers, type RequestContext } from '@waymark/service-kit/http';
import { type PageRequest, runBatch } from '@waymark/service-kit/store';
import type { ThreadsContext } from './context.ts';
import { findMessage } from './find-message.ts';
import { deleteMessage, postMessage, updateMessage } from './messages.ts';
import { setReaction } from './reactions.ts';
import { type LiveTopic, messageView, type Topic, threadView } from './records.ts';
import { reopenMessage, resolvedReplies, resolveMessage } from './resolutions.ts';
import { restoreMessage } from './restore.ts';
import { exportSources } from './transfer/export-sources.ts';
import { importMessages, importThreads } from './transfer/import-threads.ts';

type TopicParameters = { nodeId: string } | { decisionId: string };

interface OnTopic {
  ctx: RequestContext;
  params: TopicParameters;
  query: { workspace_id?: string | undefined };
  body?: { workspace_id?: string | undefined };
}
type OnMessage = OnTopic & { params: { id: string } };

const topicIn = (params: TopicParameters): Topic =>
  'nodeId' in params ? { kind: 'node', id: params.nodeId } : { kind: 'decision', id: params.decisionId };

export function createRoutes(service: ThreadsContext): Handlers<'threads'> {
  const { store, imports, topics, database } = service;
  const exported = snapshotExport(database, exportSources);

  /** The workspace that a request names, if any, must be that of the topic. */
  async function topicFor({ ctx, params, query, body }: OnTopic): Promise<LiveTopic> {
    const named = query.workspace_id ?? body?.workspace_id;
    return authorizeRecord(ctx, await topics.find(topicIn(params), ctx), named);
  }

  async function readThread(call: OnTopic & { query: PageRequest & { sort: 'created_at' | '-created_at' } }) {
    const topic = await topicFor(call);
    const thread = await store.thread(topic, topic.generation);
    if (!thread) return { thread: null, messages: [], resolved_replies: {}, next_cursor: null };
    const { data, next_cursor } = await store.page(thread, call.query);
    const resolved_replies = await resolvedReplies(store, thread, data);
    return { thread: threadView(thread), messages: data.map(messageView), resolved_replies, next_cursor };
  }

  async function post({ ctx, params, query, body }: OnTopic & { body: MessageCreate }) {
    const found = await topics.findCurrent(topicIn(params), ctx);
    return postMessage(
      service,
      ctx,
      await authorizeRecord(ctx, found, query.workspace_id ?? body.workspace_id),
      body,
    );
  }

  const read = async (call: OnMessage) =>
    messageView(await findMessage(service, await topicFor(call), call.params.id));

  const update = async (call: OnMessage & { body: MessageUpdate }) =>
    updateMessage(service, call.ctx, await topicFor(call), call.params.id, call.body);

  /** The handler of a verb that needs the message only. */
  const onMessage =
    <T>(verb: (of: ThreadsContext, ctx: RequestContext, topic: LiveTopic, id: string) => Promise<T>) =>
    async (call: OnMessage) =>
      verb(service, call.ctx, await topicFor(call), call.params.id);
  const remove = onMessage(deleteMessage);
  const resolve = onMessage(resolveMessage);
  const reopen = onMessage(reopenMessage);

  const react = (isThere: boolean) => async (call: OnMessage & { params: { emoji: string } }) => {
    const emoji = call.params.emoji as Emoji;
    return setReaction(service, call.ctx, await topicFor(call), call.params.id, { emoji, isThere });
  };
  const addReaction = react(true);
  const removeReaction = async (...call: Parameters<typeof addReaction>) =>
    void (await react(false)(...call));

  const handlers: Handlers<'threads'> = {
    async countMessages({ ctx, query }) {
      return { data: await store.counts(ctx.access.workspaceId, query.node_ids) };
    },
    listTrashedMessages: ({ ctx, query }) => store.trash.list(ctx, 'message', query),
    restoreMessage: ({ ctx, params }) => restoreMessage(service, ctx, params.id),
    getThread: readThread,
    postMessage: post,
    getMessage: read,
    updateMessage: update,
    deleteMessage: remove,
    addReaction,
    removeReaction,
    resolveMessage: resolve,
    reopenMessage: reopen,
    getDecisionThread: readThread,
    postDecisionMessage: post,
    getDecisionMessage: read,
    updateDecisionMessage: update,
    deleteDecisionMessage: remove,
    addDecisionReaction: addReaction,
    removeDecisionReaction: removeReaction,
    resolveDecisionMessage: resolve,
    reopenDecisionMessage: reopen,

    applyMessageBatch: ({ ctx, body }) => runBatch(service.commit, ctx, body, handlers),

    beginThreadsExport: ({ query }) => exported.begin(query.workspace_id),
    readThreadsForExport: ({ query }) => exported.read(query),

    findTakenThreads: ({ body }) => imports.taken(body.workspace_id, body.collection, body.ids),
    importThreads: ({ body }) => importThreads(service, body),
    importMessages: ({ body }) => importMessages(service, body),

    purgeThreads: ({ params }) => service.workspaces.purge(params.id),

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

import { ApiError, type Message } from '@waymark/contracts';
import { eventBatches } from '@waymark/service-kit/events';
import { type RequestContext, requireRecord } from '@waymark/service-kit/http';
import {
  changesBetween,
  type Stored,
  serviceContext,
  type Transaction,
  trashRoot,
} from '@waymark/service-kit/store';
import type { ThreadsContext } from './context.ts';
import { messageSubject } from './find-message.ts';
import { checkRemover, currentThread, FIELDS } from './messages.ts';
import { type DeletedTopic, type MessageRecord, messageView, topicOf } from './records.ts';
import { MESSAGES, messageOf, trashedTopic } from './store/index.ts';

/**
 * Takes a message out of the trash. Returns one that exists as it is. Throws FORBIDDEN unless the caller
 * wrote it or is an admin, and CONFLICT while its node or decision is deleted.
 */
export async function restoreMessage(
  { store, topics, commit, now }: ThreadsContext,
  ctx: RequestContext,
  id: string,
): Promise<Message> {
  const { workspaceId } = ctx.access;
  const root = trashRoot('message', id);
  const existing = async () => messageView(await requireRecord(ctx, await store.messageById(id)));
  const entry = await store.trash.find(workspaceId, root, ctx.batch?.session);
  if (!entry) return commit(ctx, existing);
  const topic = topicOf(entry);
  const found = await topics.findCurrent(topic, ctx).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'NOT_FOUND' ? topicGone() : error;
  });

  async function restore(tx: Transaction): Promise<Message> {
    const trashed = await store.trash.take(workspaceId, root, tx.session);
    if (!trashed) return existing();
    const [document] = trashed.documents[MESSAGES] as Stored<MessageRecord>[];
    const removed = messageOf(document!);
    checkRemover(ctx, removed, 'restore');
    const generation = await store.lockTopic(found, tx.session);
    if (generation === null) throw topicGone();
    const thread = await currentThread(store, { ...found, generation }, new Date(now()).toISOString(), tx);
    const message = { ...removed, thread_id: thread.id, version: entry!.version + 1 };
    await store.insertMessage(message, tx.session);
    const data = messageView(message);
    const changes = changesBetween(null, data, FIELDS);
    tx.emit('thread.message_created', { subject: messageSubject(message, generation), data, changes });
    return data;
  }

  function topicGone(): ApiError {
    const message = `The ${topic.kind} of this message is deleted. Restore it first.`;
    return new ApiError('CONFLICT', { message });
  }

  return commit(ctx, restore, { queueKey: id });
}

/** Brings back the threads of restored topics; correct in any order with the events of their deletions. */
export async function restoreTopics(
  { store, commit, now }: Pick<ThreadsContext, 'store' | 'commit' | 'now'>,
  workspaceId: string,
  topics: DeletedTopic[],
): Promise<void> {
  // The event of the deletion may still be on its way.
  await store.removeTopics(workspaceId, topics, now());
  const roots = topics.map((topic) => trashedTopic(topic, topic.version));
  const full = new Set(await store.trash.rootsAmong(workspaceId, roots));
  for (const topic of topics.filter((_, i) => full.has(roots[i]!))) {
    await commit(serviceContext('threads', workspaceId), async (tx) => {
      const { session } = tx;
      const { version: generation } = topic;
      const thread = await store.thread({ ...topic, workspace_id: workspaceId }, generation, session);
      // Higher than any version that a message had, as in an import.
      const version = now();
      const messages = await store.restoreThread(workspaceId, topic, { thread, version }, session);
      for (const batch of eventBatches(messages.map(messageView))) {
        const subject = { type: 'workspace' as const, id: workspaceId, version: 1 };
        const data = { messages: batch, version, generations: { [topic.id]: generation } };
        tx.emit('messages.imported', { subject, data });
      }
    });
  }
}

import { ApiError, type Message, mentionsIn, type Thread } from '@waymark/contracts';
import type { ImportPortion, StoredOrLeftOut } from '@waymark/data-transfer';
import { eventBatches } from '@waymark/service-kit/events';
import type { ThreadsContext } from '../context.ts';
import { type LiveTopic, topicOf } from '../records.ts';
import { guardKey } from '../store/guards.ts';

const LOOKUPS_AT_ONCE = 16;

/** Stores threads with their ids and times. Skips threads of deleted topics. */
export async function importThreads(service: ThreadsContext, portion: ImportPortion & { threads: Thread[] }) {
  const { imports, storePortion } = service;
  const { workspace_id, threads } = portion;
  const topics = await findTopics(service, workspace_id, threads);
  return storePortion(portion, (tx) => imports.insertThreads(workspace_id, threads, topics, tx.session));
}

/** Stores messages with their ids, authors and times. Skips messages of deleted topics. */
export function importMessages(
  { imports, storePortion, now }: ThreadsContext,
  portion: ImportPortion & { messages: Message[] },
): Promise<StoredOrLeftOut> {
  return storePortion(portion, async (tx) => {
    const { workspace_id } = portion;
    const messages = portion.messages.map((one) => ({ ...one, mentions: mentionsIn(one.content) }));
    // Higher than any version that a deleted message had, because those versions are not stored.
    const version = now();
    const stored = await imports.insertMessages(workspace_id, messages, version, tx.session);
    const { fresh, generations, left_out } = stored;
    for (const batch of eventBatches(fresh)) {
      const subject = { type: 'workspace' as const, id: workspace_id, version: 1 };
      const ids = batch.map((message) => topicOf(message).id);
      const ofTopics = Object.fromEntries(ids.map((id) => [id, generations.get(id)!]));
      const data = { messages: batch, version, generations: ofTopics };
      tx.emit('messages.imported', { subject, data, action: null });
    }
    return { stored: fresh.length, left_out };
  });
}

async function findTopics({ topics }: ThreadsContext, workspaceId: string, threads: Thread[]) {
  const found = new Map<string, LiveTopic>();
  const lookUp = async (thread: Thread) => {
    const topic = await topics.findCurrent(topicOf(thread)).catch(nullIfMissing);
    if (topic?.workspace_id === workspaceId) found.set(guardKey(topic), topic);
  };
  for (let at = 0; at < threads.length; at += LOOKUPS_AT_ONCE) {
    await Promise.all(threads.slice(at, at + LOOKUPS_AT_ONCE).map(lookUp));
  }
  return found;
}

function nullIfMissing(error: unknown): null {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
  throw error;
}

import type { Message, Thread } from '@waymark/contracts';
import { freshRecords, type StoredOrLeftOut, takenIds } from '@waymark/data-transfer';
import { type Database, type Stored, toDocument } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type LiveTopic, type MessageRecord, type ThreadRecord, topicOf } from '../records.ts';
import { guardKey } from './guards.ts';
import { MESSAGES, type Store, THREADS, threadOf } from './index.ts';

export type ImportStore = ReturnType<typeof importStore>;

/** Stores the records of an import. A repeated record is stored once. */
export function importStore(database: Database, store: Store) {
  const threads = database.collection<Stored<ThreadRecord>>(THREADS);
  const messages = database.collection<Stored<MessageRecord>>(MESSAGES);

  return {
    /** Skips threads whose topic is not in `topics`, was deleted since, or already has a thread. */
    async insertThreads(
      workspaceId: string,
      given: Thread[],
      topics: ReadonlyMap<string, LiveTopic>,
      session: ClientSession,
    ): Promise<StoredOrLeftOut> {
      const absent = await freshRecords(database, THREADS, workspaceId, given, session);
      const result: StoredOrLeftOut = { stored: 0, left_out: [] };
      for (const thread of absent) {
        const topic = topics.get(guardKey(topicOf(thread)));
        if (topic && (await insert(thread, topic))) result.stored += 1;
        else result.left_out.push(thread.id);
      }
      return result;

      async function insert(thread: Thread, topic: LiveTopic): Promise<boolean> {
        const generation = await store.lockTopic(topic, session);
        if (generation === null || (await store.thread(topic, generation, session))) return false;
        await store.insertThread({ ...thread, workspace_id: workspaceId, generation }, session);
        return true;
      }
    },

    /** Skips messages whose thread is missing, has another topic, or is being deleted. */
    async insertMessages(workspaceId: string, given: Message[], version: number, session: ClientSession) {
      const absent = await freshRecords(database, MESSAGES, workspaceId, given, session);
      const ids = absent.map(({ thread_id }) => thread_id);
      const filter = { workspace_id: workspaceId, _id: { $in: ids } };
      const found = await threads.find(filter, { session }).toArray();
      const threadsById = new Map(found.map((thread) => [thread._id, threadOf(thread)]));
      const keys = new Set(threadsById.values().map((thread) => guardKey(topicOf(thread))));
      const deletedVersions = await store.lockGuards(workspaceId, [...keys], session);
      const fresh: Message[] = [];
      const left_out: string[] = [];
      const generations = new Map<string, number>();
      for (const message of absent) {
        const thread = threadsById.get(message.thread_id);
        const topic = topicOf(message);
        const key = guardKey(topic);
        const isInThread = thread && guardKey(topicOf(thread)) === key;
        if (isInThread && deletedVersions.get(key)! <= thread.generation) {
          fresh.push(message);
          generations.set(topic.id, thread.generation);
        } else left_out.push(message.id);
      }
      await store.trash.discard(
        workspaceId,
        'message',
        fresh.map(({ id }) => id),
        session,
      );
      const records = fresh.map((message) => ({ ...message, workspace_id: workspaceId, version }));
      if (records.length > 0) await messages.insertMany(records.map(toDocument), { session });
      return { fresh, generations, left_out };
    },

    taken: (workspaceId: string, collection: 'threads' | 'messages', ids: string[]) =>
      takenIds(database, collection === 'threads' ? THREADS : MESSAGES, workspaceId, ids),
  };
}

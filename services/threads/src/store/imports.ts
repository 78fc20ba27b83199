import type { Message, Thread } from '@waymark/contracts';
import { type Database, freshRecords, type Stored, takenIds, toDocument } from '@waymark/service-kit';
import type { ClientSession } from 'mongodb';
import type { MessageRecord, ThreadRecord } from '../records.ts';
import { MESSAGES, type Store, THREADS } from '../store.ts';

export type ImportStore = ReturnType<typeof importStore>;

/** What an import stores: each record once, however often it comes. */
export function importStore(database: Database, store: Store) {
  const threads = database.collection<Stored<ThreadRecord>>(THREADS);
  const messages = database.collection<Stored<MessageRecord>>(MESSAGES);

  return {
    /** A node that has a thread already keeps that one. */
    async insertThreads(workspaceId: string, given: Thread[], session: ClientSession): Promise<number> {
      const fresh = await freshRecords(database, THREADS, workspaceId, given, session);
      let stored = 0;
      for (const thread of fresh) {
        const node = { id: thread.node_id, workspace_id: workspaceId, version: 1 };
        const { deleted_version: generation } = await store.takeNode(node, session);
        if (await store.thread(node, generation, session)) continue;
        await store.insertThread({ ...thread, workspace_id: workspaceId, generation }, session);
        stored += 1;
      }
      return stored;
    },

    /** Those whose thread is there and of the same node. Returns those that are new. */
    async insertMessages(workspaceId: string, given: Message[], session: ClientSession): Promise<Message[]> {
      const ids = given.map(({ thread_id }) => thread_id);
      const found = await threads
        .find({ workspace_id: workspaceId, _id: { $in: ids } }, { session, projection: { node_id: 1 } })
        .toArray();
      const nodes = new Map(found.map(({ _id, node_id }) => [_id, node_id]));
      const attached = given.filter(({ thread_id, node_id }) => nodes.get(thread_id) === node_id);
      const fresh = await freshRecords(database, MESSAGES, workspaceId, attached, session);
      const documents = fresh.map((message) =>
        toDocument<MessageRecord>({ ...message, workspace_id: workspaceId, version: 1 }),
      );
      if (documents.length > 0) await messages.insertMany(documents, { session });
      return fresh;
    },

    taken: (workspaceId: string, collection: 'threads' | 'messages', ids: string[]) =>
      takenIds(database, collection === 'threads' ? THREADS : MESSAGES, workspaceId, ids),
  };
}

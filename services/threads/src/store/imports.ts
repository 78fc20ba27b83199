import type { Message, Thread } from '@waymark/contracts';
import { freshRecords, type StoredOrLeftOut, takenIds } from '@waymark/data-transfer';
import { type Database, type Stored, toDocument } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { LiveNode, MessageRecord, ThreadRecord } from '../records.ts';
import { MESSAGES, type Store, THREADS } from './index.ts';

export type ImportStore = ReturnType<typeof importStore>;

/** Stores the records of an import. A repeated record is stored once. */
export function importStore(database: Database, store: Store) {
  const threads = database.collection<Stored<ThreadRecord>>(THREADS);
  const messages = database.collection<Stored<MessageRecord>>(MESSAGES);

  return {
    /** Skips threads whose node is not in `nodes`, was deleted since, or already has a thread. */
    async insertThreads(
      workspaceId: string,
      given: Thread[],
      nodes: ReadonlyMap<string, LiveNode>,
      session: ClientSession,
    ): Promise<StoredOrLeftOut> {
      const absent = await freshRecords(database, THREADS, workspaceId, given, session);
      const result: StoredOrLeftOut = { stored: 0, left_out: [] };
      for (const thread of absent) {
        const node = nodes.get(thread.node_id);
        if (node && (await insert(thread, node))) result.stored += 1;
        else result.left_out.push(thread.id);
      }
      return result;

      async function insert(thread: Thread, node: LiveNode): Promise<boolean> {
        const generation = await store.lockNode(node, session);
        if (generation === null || (await store.thread(node, generation, session))) return false;
        await store.insertThread({ ...thread, workspace_id: workspaceId, generation }, session);
        return true;
      }
    },

    /** Skips messages whose thread is missing, has another node, or is being deleted. */
    async insertMessages(workspaceId: string, given: Message[], version: number, session: ClientSession) {
      const absent = await freshRecords(database, MESSAGES, workspaceId, given, session);
      const ids = absent.map(({ thread_id }) => thread_id);
      const filter = { workspace_id: workspaceId, _id: { $in: ids } };
      const found = await threads.find(filter, { session }).toArray();
      const threadsById = new Map(found.map((thread) => [thread._id, thread]));
      const deletedVersions = await store.lockNodes(
        workspaceId,
        [...new Set(found.map(({ node_id }) => node_id))],
        session,
      );
      const fresh: Message[] = [];
      const left_out: string[] = [];
      const generations = new Map<string, number>();
      for (const message of absent) {
        const { id, thread_id, node_id } = message;
        const thread = threadsById.get(thread_id);
        if (thread?.node_id === node_id && deletedVersions.get(node_id)! <= thread.generation) {
          fresh.push(message);
          generations.set(node_id, thread.generation);
        } else left_out.push(id);
      }
      const records = fresh.map((message) => ({ ...message, workspace_id: workspaceId, version }));
      if (records.length > 0) await messages.insertMany(records.map(toDocument), { session });
      return { fresh, generations, left_out };
    },

    taken: (workspaceId: string, collection: 'threads' | 'messages', ids: string[]) =>
      takenIds(database, collection === 'threads' ? THREADS : MESSAGES, workspaceId, ids),
  };
}

import type { Message, Thread } from '@waymark/contracts';
import { freshRecords, type StoredOrLeftOut, takenIds } from '@waymark/data-transfer';
import { type Database, type Stored, toDocument } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { LiveNode } from '../live-nodes.ts';
import type { MessageRecord, ThreadRecord } from '../records.ts';
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
        const { deleted_version } = await store.lockNode(node, session);
        const generation = Math.max(deleted_version, node.generation);
        if (node.version <= generation || (await store.thread(node, generation, session))) return false;
        await store.insertThread({ ...thread, workspace_id: workspaceId, generation }, session);
        return true;
      }
    },

    /**
     * Stores messages with `version`, unless their thread is missing, has another node, or is being deleted.
     * Returns the new messages, the generations of their nodes, and the ids of the skipped messages.
     */
    async insertMessages(workspaceId: string, given: Message[], version: number, session: ClientSession) {
      const absent = await freshRecords(database, MESSAGES, workspaceId, given, session);
      const ids = absent.map(({ thread_id }) => thread_id);
      const found = await threads
        .find({ workspace_id: workspaceId, _id: { $in: ids } }, { session })
        .toArray();
      const threadsById = new Map(found.map((thread) => [thread._id, thread]));
      const nodes = await store.lockNodes(workspaceId, new Set(found.map(({ node_id }) => node_id)), session);
      const isAttached = ({ thread_id, node_id }: Message) => {
        const thread = threadsById.get(thread_id);
        return thread?.node_id === node_id && nodes.get(node_id)!.deleted_version <= thread.generation;
      };
      const fresh = absent.filter(isAttached);
      const documents = fresh.map((message) =>
        toDocument<MessageRecord>({ ...message, workspace_id: workspaceId, version }),
      );
      if (documents.length > 0) await messages.insertMany(documents, { session });
      const generations = new Map(
        fresh.map(({ node_id, thread_id }) => [node_id, threadsById.get(thread_id)!.generation]),
      );
      return {
        fresh,
        generations,
        left_out: absent.filter((message) => !isAttached(message)).map(({ id }) => id),
      };
    },

    taken: (workspaceId: string, collection: 'threads' | 'messages', ids: string[]) =>
      takenIds(database, collection === 'threads' ? THREADS : MESSAGES, workspaceId, ids),
  };
}

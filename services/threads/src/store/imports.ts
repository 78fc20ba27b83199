import type { Message, Thread } from '@waymark/contracts';
import { freshRecords, type StoredOrLeftOut, takenIds } from '@waymark/data-transfer';
import { type Database, type Stored, toDocument } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { LiveNode } from '../live-nodes.ts';
import type { MessageRecord, ThreadRecord } from '../records.ts';
import { MESSAGES, type Store, THREADS } from './index.ts';

export type ImportStore = ReturnType<typeof importStore>;

/** What an import stores: each record once, however often it comes. */
export function importStore(database: Database, store: Store) {
  const threads = database.collection<Stored<ThreadRecord>>(THREADS);
  const messages = database.collection<Stored<MessageRecord>>(MESSAGES);

  return {
    /** Those whose node is among `nodes` and not deleted since. A node that has a thread already keeps that one. */
    async insertThreads(
      workspaceId: string,
      given: Thread[],
      nodes: ReadonlyMap<string, LiveNode>,
      session: ClientSession,
    ): Promise<StoredOrLeftOut> {
      const absent = await freshRecords(database, THREADS, workspaceId, given, session);
      const told: StoredOrLeftOut = { stored: 0, left_out: [] };
      for (const thread of absent) {
        const node = nodes.get(thread.node_id);
        if (node && (await begin(thread, node))) told.stored += 1;
        else told.left_out.push(thread.id);
      }
      return told;

      async function begin(thread: Thread, node: LiveNode): Promise<boolean> {
        const { deleted_version } = await store.takeNode(node, session);
        const generation = Math.max(deleted_version, node.generation);
        if (node.version <= generation || (await store.thread(node, generation, session))) return false;
        await store.insertThread({ ...thread, workspace_id: workspaceId, generation }, session);
        return true;
      }
    },

    /**
     * As `version`, those whose thread is there, of the same node and of its present life: what a deletion has begun to remove
     * takes nothing more. Returns those that are new, the generations of their nodes, and the ids of those left out.
     */
    async insertMessages(
      workspaceId: string,
      given: Message[],
      version: number,
      session: ClientSession,
    ): Promise<{ fresh: Message[]; generations: Map<string, number>; left_out: string[] }> {
      const absent = await freshRecords(database, MESSAGES, workspaceId, given, session);
      const ids = absent.map(({ thread_id }) => thread_id);
      const found = await threads
        .find({ workspace_id: workspaceId, _id: { $in: ids } }, { session })
        .toArray();
      const begun = new Map(found.map((thread) => [thread._id, thread]));
      const nodes = await store.takeNodes(workspaceId, new Set(found.map(({ node_id }) => node_id)), session);
      const isAttached = ({ thread_id, node_id }: Message) => {
        const thread = begun.get(thread_id);
        return thread?.node_id === node_id && nodes.get(node_id)!.deleted_version <= thread.generation;
      };
      const fresh = absent.filter(isAttached);
      const documents = fresh.map((message) =>
        toDocument<MessageRecord>({ ...message, workspace_id: workspaceId, version }),
      );
      if (documents.length > 0) await messages.insertMany(documents, { session });
      const generations = new Map(
        fresh.map(({ node_id, thread_id }) => [node_id, begun.get(thread_id)!.generation]),
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

import { type CursorCodec, type DeletedNode, messageDefaults } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { allGuards } from '../guards.ts';
import type { MessageRecord, NodeGuard, NodeReference, ThreadRecord } from '../records.ts';

const GUARDS = 'node_guards';
export const THREADS = 'threads';
export const MESSAGES = 'messages';

export const indexes: Indexes = {
  [GUARDS]: [{ key: { workspace_id: 1, _id: 1 } }],
  [THREADS]: [{ key: { workspace_id: 1, node_id: 1, generation: 1 }, unique: true }],
  [MESSAGES]: [{ key: { workspace_id: 1, thread_id: 1, created_at: 1, _id: 1 } }],
};

/** What goes with a workspace, by the field that names it. */
export const ownedCollections = {
  [MESSAGES]: 'workspace_id',
  [THREADS]: 'workspace_id',
  [GUARDS]: 'workspace_id',
};

const TAKEN = { $inc: { revision: 1 }, $setOnInsert: { deleted_version: 0 } };

export type Store = ReturnType<typeof threadStore>;

const messageOf = (document: Stored<MessageRecord>) => fromDocument<MessageRecord>(document, messageDefaults);

export function threadStore(database: Database, cursors: CursorCodec) {
  const guards = database.collection<Stored<NodeGuard>>(GUARDS);
  const threads = database.collection<Stored<ThreadRecord>>(THREADS);
  const messages = database.collection<Stored<MessageRecord>>(MESSAGES);

  return {
    /** The version of the node's last deletion that has been heard of; 0 for none. */
    async deletedVersion({ id, workspace_id }: NodeReference): Promise<number> {
      return (await guards.findOne({ workspace_id, _id: id }))?.deleted_version ?? 0;
    },

    /**
     * Takes one of the node's guards, the first unless said otherwise: a transaction that does so conflicts with every other
     * that takes the same one, and with the node's deletion.
     */
    async takeNode(
      { id, workspace_id }: NodeReference,
      session: ClientSession,
      guard = id,
    ): Promise<NodeGuard> {
      const filter = { workspace_id, _id: guard };
      const options = { session, upsert: true, returnDocument: 'after' } as const;
      return fromDocument<NodeGuard>((await guards.findOneAndUpdate(filter, TAKEN, options))!);
    },

    /** The first guard of each of several nodes; they are told by node. */
    async takeNodes(
      workspace_id: string,
      ids: ReadonlySet<string>,
      session: ClientSession,
    ): Promise<Map<string, NodeGuard>> {
      if (ids.size === 0) return new Map();
      const taken = [...ids].map((_id) => ({
        updateOne: { filter: { workspace_id, _id }, update: TAKEN, upsert: true },
      }));
      await guards.bulkWrite(taken, { session });
      const found = await guards.find({ workspace_id, _id: { $in: [...ids] } }, { session }).toArray();
      return new Map(found.map((guard) => [guard._id, fromDocument<NodeGuard>(guard)]));
    },

    async thread(
      { id, workspace_id }: NodeReference,
      generation: number,
      session?: ClientSession,
    ): Promise<ThreadRecord | null> {
      const filter = { workspace_id, node_id: id, generation };
      const found = await threads.findOne(filter, { ...(session && { session }) });
      return found && fromDocument<ThreadRecord>(found);
    },

    /** Of those of these threads that are there, by id. */
    async generations(
      workspaceIds: string[],
      ids: string[],
      session?: ClientSession,
    ): Promise<Map<string, number>> {
      const filter = { workspace_id: { $in: workspaceIds }, _id: { $in: ids } };
      const options = { projection: { generation: 1 }, ...(session && { session }) };
      const found = await threads.find(filter, options).toArray();
      return new Map(found.map(({ _id, generation }) => [_id, generation]));
    },

    async insertThread(thread: ThreadRecord, session: ClientSession): Promise<void> {
      await threads.insertOne(toDocument(thread), { session });
    },

    /** A message of the node. */
    async message(node: NodeReference, id: string, session?: ClientSession): Promise<MessageRecord | null> {
      const filter = { workspace_id: node.workspace_id, node_id: node.id, _id: id };
      const found = await messages.findOne(filter, { ...(session && { session }) });
      return found && messageOf(found);
    },

    /** Messages of all workspaces, by id, behind one. */
    async snapshot(after: string, limit: number): Promise<MessageRecord[]> {
      const found = await messages
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(messageOf);
    },

    /** Oldest first. */
    page({ id, workspace_id }: ThreadRecord, page: PageRequest): Promise<KeysetPage<MessageRecord>> {
      return keysetPage<MessageRecord>({
        collection: messages,
        filter: { workspace_id, thread_id: id },
        sort: [
          ['created_at', 1],
          ['_id', 1],
        ],
        page,
        cursors,
        defaults: messageDefaults,
        scope: `messages/${id}`,
      });
    },

    async insertMessage(message: MessageRecord, session: ClientSession): Promise<void> {
      await messages.insertOne(toDocument(message), { session });
    },

    async replaceMessage(message: MessageRecord, session: ClientSession): Promise<void> {
      const { workspace_id, id: _id } = message;
      await messages.replaceOne({ workspace_id, _id }, toDocument(message), { session });
    },

    async removeMessage({ workspace_id, id: _id }: MessageRecord, session: ClientSession): Promise<void> {
      await messages.deleteOne({ workspace_id, _id }, { session });
    },

    /**
     * Removes what deleted nodes had. Their guards come first: from then on nobody posts on them, and who was about to has
     * to begin again. What follows may be broken off and repeated at any point.
     */
    async removeNodes(workspace_id: string, nodes: readonly DeletedNode[]): Promise<void> {
      const deletions = nodes.flatMap(({ id, version }) =>
        allGuards(id).map((_id) => ({
          updateOne: {
            filter: { workspace_id, _id },
            update: { $max: { deleted_version: version }, $inc: { revision: 1 } },
            upsert: true,
          },
        })),
      );
      if (deletions.length > 0) await guards.bulkWrite(deletions, { ordered: false });
      const versions = new Map(nodes.map(({ id, version }) => [id, version]));
      const found = threads.find({ workspace_id, node_id: { $in: [...versions.keys()] } });
      for await (const { _id, node_id, generation } of found) {
        // A thread of a later life of the node is no business of this deletion.
        if (generation >= versions.get(node_id)!) continue;
        await messages.deleteMany({ workspace_id, thread_id: _id });
        await threads.deleteOne({ workspace_id, _id });
      }
    },
  };
}

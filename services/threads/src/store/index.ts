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
import type { MessageRecord, NodeGuard, NodeReference, ThreadRecord } from '../records.ts';
import { allGuards } from './guards.ts';

const GUARDS = 'node_guards';
export const THREADS = 'threads';
export const MESSAGES = 'messages';

export const indexes: Indexes = {
  [GUARDS]: [{ key: { workspace_id: 1, _id: 1 } }],
  [THREADS]: [{ key: { workspace_id: 1, node_id: 1, generation: 1 }, unique: true }],
  [MESSAGES]: [{ key: { workspace_id: 1, thread_id: 1, created_at: 1, _id: 1 } }],
};

/** The collections that are deleted with a workspace, and the field that names the workspace. */
export const ownedCollections = {
  [MESSAGES]: 'workspace_id',
  [THREADS]: 'workspace_id',
  [GUARDS]: 'workspace_id',
};

const LOCK = { $inc: { revision: 1 }, $setOnInsert: { deleted_version: 0 } };

export type Store = ReturnType<typeof threadStore>;

const messageOf = (document: Stored<MessageRecord>) => fromDocument<MessageRecord>(document, messageDefaults);

export function threadStore(database: Database, cursors: CursorCodec) {
  const guards = database.collection<Stored<NodeGuard>>(GUARDS);
  const threads = database.collection<Stored<ThreadRecord>>(THREADS);
  const messages = database.collection<Stored<MessageRecord>>(MESSAGES);

  return {
    /** Returns the version of the node's last deletion whose event has arrived; 0 for none. */
    async deletedVersion({ id, workspace_id }: NodeReference): Promise<number> {
      return (await guards.findOne({ workspace_id, _id: id }))?.deleted_version ?? 0;
    },

    /**
     * Locks one of the node's guards, by default the first. The transaction then conflicts with every other
     * transaction that locks this guard, and with the deletion of the node.
     */
    async lockNode({ id, workspace_id }: NodeReference, session: ClientSession, guard = id) {
      const filter = { workspace_id, _id: guard };
      const options = { session, upsert: true, returnDocument: 'after' } as const;
      return fromDocument<NodeGuard>((await guards.findOneAndUpdate(filter, LOCK, options))!);
    },

    /** Locks the first guard of each of several nodes. Returns the guards by node. */
    async lockNodes(workspace_id: string, ids: ReadonlySet<string>, session: ClientSession) {
      if (ids.size === 0) return new Map();
      const locks = [...ids].map((_id) => ({
        updateOne: { filter: { workspace_id, _id }, update: LOCK, upsert: true },
      }));
      await guards.bulkWrite(locks, { session });
      const found = await guards.find({ workspace_id, _id: { $in: [...ids] } }, { session }).toArray();
      return new Map(found.map((guard) => [guard._id, fromDocument<NodeGuard>(guard)]));
    },

    async thread({ id, workspace_id }: NodeReference, generation: number, session?: ClientSession) {
      const filter = { workspace_id, node_id: id, generation };
      const found = await threads.findOne(filter, { ...(session && { session }) });
      return found && fromDocument<ThreadRecord>(found);
    },

    /** Returns the generations of the existing threads among `ids`, by id. */
    async generations(workspaceIds: string[], ids: string[], session?: ClientSession) {
      const filter = { workspace_id: { $in: workspaceIds }, _id: { $in: ids } };
      const options = { projection: { generation: 1 }, ...(session && { session }) };
      const found = await threads.find(filter, options).toArray();
      return new Map(found.map(({ _id, generation }) => [_id, generation]));
    },

    async insertThread(thread: ThreadRecord, session: ClientSession): Promise<void> {
      await threads.insertOne(toDocument(thread), { session });
    },

    async message(node: NodeReference, id: string, session?: ClientSession): Promise<MessageRecord | null> {
      const filter = { workspace_id: node.workspace_id, node_id: node.id, _id: id };
      const found = await messages.findOne(filter, { ...(session && { session }) });
      return found && messageOf(found);
    },

    /** Returns messages of all workspaces with ids after `after`, sorted by id. */
    async snapshot(after: string, limit: number): Promise<MessageRecord[]> {
      const found = await messages
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(messageOf);
    },

    /** Returns a page of a thread's messages, oldest first. */
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
     * Removes the threads and messages of deleted nodes. Updates their guards first, so that no later post
     * succeeds and concurrent posts are retried. The remaining steps can stop and be repeated at any point.
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
        // The node was restored after this deletion, and the thread began after that.
        if (generation >= versions.get(node_id)!) continue;
        await messages.deleteMany({ workspace_id, thread_id: _id });
        await threads.deleteOne({ workspace_id, _id });
      }
    },
  };
}

import {
  type CursorCodec,
  type DeletedNode,
  limits,
  type MessageCounts,
  messageDefaults,
} from '@waymark/contracts';
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
import type { MessageRecord, NodeReference, ThreadRecord } from '../records.ts';
import { GUARDS, guardStore } from './guards.ts';

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

export type Store = ReturnType<typeof threadStore>;

const messageOf = (document: Stored<MessageRecord>) => fromDocument<MessageRecord>(document, messageDefaults);

export function threadStore(database: Database, cursors: CursorCodec) {
  const guards = guardStore(database);
  const threads = database.collection<Stored<ThreadRecord>>(THREADS);
  const messages = database.collection<Stored<MessageRecord>>(MESSAGES);

  return {
    ...guards,

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

    /** Counts the messages in the current threads of nodes. */
    async counts(workspace_id: string, nodeIds: readonly string[]): Promise<MessageCounts['data']> {
      const counted = {
        from: MESSAGES,
        localField: '_id',
        foreignField: 'thread_id',
        as: 'counted',
        pipeline: [{ $match: { workspace_id } }, { $limit: limits.countedMessages }, { $count: 'messages' }],
      };
      const [deleted, found] = await Promise.all([
        guards.deletedVersions(workspace_id, nodeIds),
        threads
          .aggregate<Pick<ThreadRecord, 'node_id' | 'generation'> & { counted: { messages: number }[] }>([
            { $match: { workspace_id, node_id: { $in: nodeIds } } },
            { $lookup: counted },
          ])
          .toArray(),
      ]);
      return found.flatMap(({ node_id, generation, counted: [counted] }) =>
        counted && generation >= (deleted.get(node_id) ?? 0) ? [{ node_id, messages: counted.messages }] : [],
      );
    },

    async insertThread(thread: ThreadRecord, session: ClientSession) {
      await threads.insertOne(toDocument(thread), { session });
    },

    async message(node: NodeReference, id: string, session?: ClientSession): Promise<MessageRecord | null> {
      const filter = { workspace_id: node.workspace_id, node_id: node.id, _id: id };
      const found = await messages.findOne(filter, { ...(session && { session }) });
      return found && messageOf(found);
    },

    async snapshot(after: string, limit: number): Promise<MessageRecord[]> {
      const found = messages.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit });
      return found.map(messageOf).toArray();
    },

    page(
      { id, workspace_id }: ThreadRecord,
      { sort, ...page }: PageRequest & { sort: 'created_at' | '-created_at' },
    ): Promise<KeysetPage<MessageRecord>> {
      const direction = sort === 'created_at' ? 1 : -1;
      return keysetPage<MessageRecord>({
        collection: messages,
        filter: { workspace_id, thread_id: id },
        sort: [
          ['created_at', direction],
          ['_id', direction],
        ],
        page,
        cursors,
        defaults: messageDefaults,
        scope: `messages/${id}${direction === 1 ? '' : sort}`,
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

    /** Removes the threads and messages of deleted nodes. Can stop and be repeated at any point. */
    async removeNodes(workspace_id: string, nodes: readonly DeletedNode[]): Promise<void> {
      await guards.markDeleted(workspace_id, nodes);
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

import { limits, type MessageCounts, messageDefaults, threadDefaults } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  inSession,
  inTransaction,
  type KeysetPage,
  type PageRequest,
  recordCollection,
  type Stored,
  TRASH,
  trashIndexes,
  trashStore,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import {
  type DeletedTopic,
  type MessageRecord,
  type ThreadRecord,
  type Topic,
  type TopicReference,
  topicFields,
  topicOf,
} from '../records.ts';
import { GUARDS, guardKey, guardStore } from './guards.ts';

export const THREADS = 'threads';
export const MESSAGES = 'messages';

export const indexes: Indexes = {
  [GUARDS]: [{ key: { workspace_id: 1, _id: 1 } }],
  [THREADS]: [
    { key: { workspace_id: 1, node_id: 1, decision_id: 1, generation: 1 }, unique: true },
    { key: { workspace_id: 1, _id: 1 } },
  ],
  [MESSAGES]: [{ key: { workspace_id: 1, thread_id: 1, created_at: 1, _id: 1 } }],
  ...trashIndexes,
};

/** The collections that are deleted with a workspace, and the field that names the workspace. */
export const ownedCollections = {
  [MESSAGES]: 'workspace_id',
  [THREADS]: 'workspace_id',
  [GUARDS]: 'workspace_id',
  [TRASH]: 'workspace_id',
};

/** Names the messages in the trash that were deleted with a topic. */
export const trashedTopic = (topic: Topic, version: number) => `${guardKey(topic)}/${version}`;
const MOVED_AT_ONCE = 500;

/** The fields that lead from a message to the first one of its conversation. */
export type Link = Pick<MessageRecord, 'id' | 'reply_to' | 'resolved_at'>;

export type Store = ReturnType<typeof openStore>;

export const messageOf = (document: Stored<MessageRecord>) =>
  fromDocument<MessageRecord>(document, messageDefaults);
export const threadOf = (document: Stored<ThreadRecord>) =>
  fromDocument<ThreadRecord>(document, threadDefaults);

export function openStore(database: Database) {
  const guards = guardStore(database);
  const threadRecords = recordCollection<ThreadRecord>(database, THREADS, { defaults: threadDefaults });
  const records = recordCollection<MessageRecord>(database, MESSAGES, { defaults: messageDefaults });
  const [threads, messages] = [threadRecords.collection, records.collection];
  const trash = trashStore(database);

  /** Moves a thread to the trash, some messages at a time. Can stop and be repeated at any point. */
  async function discard(root: string, thread: Stored<ThreadRecord>, atMs: number): Promise<void> {
    const { workspace_id, _id: thread_id } = thread;
    const moveSome = async (session: ClientSession) => {
      const some = await messages
        .find({ workspace_id, thread_id }, { session, limit: MOVED_AT_ONCE })
        .toArray();
      const isLast = some.length < MOVED_AT_ONCE;
      const documents = { [MESSAGES]: some, ...(isLast && { [THREADS]: [thread] }) };
      await trash.add(workspace_id, [{ root, documents }], atMs, session);
      const _id = { $in: some.map((message) => message._id) };
      await messages.deleteMany({ workspace_id, _id }, { session });
      if (isLast) await threads.deleteOne({ workspace_id, _id: thread_id }, { session });
      return isLast;
    };
    while (!(await inTransaction(database.client, moveSome)));
  }

  return {
    ...guards,
    trash,

    thread: ({ workspace_id, ...topic }: TopicReference, generation: number, session?: ClientSession) =>
      threadRecords.findOne({ workspace_id, ...topicFields(topic), generation }, session),

    /** Returns the generations of the existing threads among `ids`, by id. */
    async generations(workspaceIds: string[], ids: string[], session?: ClientSession) {
      const filter = { workspace_id: { $in: workspaceIds }, _id: { $in: ids } };
      const options = { projection: { generation: 1 }, ...inSession(session) };
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
          .aggregate<{ node_id: string; generation: number; counted: { messages: number }[] }>([
            { $match: { workspace_id, node_id: { $in: nodeIds } } },
            { $lookup: counted },
          ])
          .toArray(),
      ]);
      return found.flatMap(({ node_id, generation, counted: [counted] }) =>
        counted && generation >= (deleted.get(node_id) ?? 0) ? [{ node_id, messages: counted.messages }] : [],
      );
    },

    insertThread: threadRecords.insert,

    message: ({ workspace_id, ...topic }: TopicReference, id: string, session?: ClientSession) =>
      records.findOne({ workspace_id, ...topicFields(topic), _id: id }, session),

    /** Returns messages of a thread and those above them, in one read. */
    async linksFrom({ workspace_id, id: thread_id }: ThreadRecord, ids: readonly string[], maxDepth: number) {
      const ofThread = { workspace_id, thread_id };
      const follow = { from: MESSAGES, connectFromField: 'reply_to', connectToField: '_id' };
      const from = { startWith: { $literal: ids }, as: 'link', maxDepth, restrictSearchWithMatch: ofThread };
      const found = await messages
        .aggregate<{ link: Stored<Link> }>([
          // Any document: the look-up begins with all ids at once and reads each message once.
          { $match: { ...ofThread, _id: { $in: ids } } },
          { $limit: 1 },
          { $graphLookup: { ...follow, ...from } },
          { $unwind: '$link' },
          { $project: { link: { _id: 1, reply_to: 1, resolved_at: 1 } } },
        ])
        .toArray();
      return found.map(
        ({ link: { _id, reply_to, resolved_at = null } }): Link => ({ id: _id, reply_to, resolved_at }),
      );
    },

    snapshot: records.snapshot,

    page(
      { id, workspace_id }: ThreadRecord,
      { sort, ...page }: PageRequest & { sort: 'created_at' | '-created_at' },
    ): Promise<KeysetPage<MessageRecord>> {
      const direction = sort === 'created_at' ? 1 : -1;
      const order = [['created_at', direction] as const, ['_id', direction] as const];
      const scope = `messages/${id}${direction === 1 ? '' : sort}`;
      return records.page({ workspace_id, thread_id: id }, order, page, scope);
    },

    /** Returns a message of any workspace. */
    messageById: records.byId,

    /** Brings back the thread of a topic, in the current thread if there is one. Returns its messages. */
    async restoreThread(
      workspace_id: string,
      topic: DeletedTopic,
      { thread: current, version }: { thread: ThreadRecord | null; version: number },
      session: ClientSession,
    ): Promise<MessageRecord[]> {
      const root = trashedTopic(topic, topic.version);
      const { documents = {} } = (await trash.take(workspace_id, root, session)) ?? {};
      const [old] = (documents[THREADS] ?? []) as Stored<ThreadRecord>[];
      if (!old) return [];
      const thread_id = current?.id ?? old._id;
      if (!current) await threads.insertOne({ ...old, generation: topic.version }, { session });
      const found = ((documents[MESSAGES] ?? []) as Stored<MessageRecord>[]).map((one) => {
        return { ...one, thread_id, version };
      });
      if (found.length > 0) await messages.insertMany(found, { session });
      return found.map(records.recordOf);
    },

    insertMessage: records.insert,
    replaceMessage: records.replace,
    removeMessage: records.remove,

    /** Moves the threads and messages of deleted topics to the trash. Can be stopped and repeated. */
    async removeTopics(workspace_id: string, topics: readonly DeletedTopic[], atMs: number): Promise<void> {
      await guards.markDeleted(workspace_id, topics);
      const versions = new Map(topics.map((topic) => [guardKey(topic), topic.version]));
      for (const kind of new Set(topics.map((topic) => topic.kind))) {
        const ids = { $in: topics.filter((topic) => topic.kind === kind).map(({ id }) => id) };
        const filter = kind === 'node' ? { node_id: ids } : { node_id: null, decision_id: ids };
        for await (const document of threads.find({ workspace_id, ...filter })) {
          const { generation, ...thread } = threadRecords.recordOf(document);
          // The topic was restored after this deletion, and the thread began after that.
          if (generation >= versions.get(guardKey(topicOf(thread)))!) continue;
          const topic = topicOf(thread);
          await discard(trashedTopic(topic, versions.get(guardKey(topic))!), document, atMs);
        }
      }
    },
  };
}

import type { Database, Stored } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { DeletedTopic, LiveTopic, Topic, TopicGuard, TopicReference } from '../records.ts';

export const GUARDS = 'node_guards';
/** Few enough that a deletion, which locks all of them, is cheap; posts on a topic still seldom conflict. */
const GUARDS_PER_TOPIC = 4;
const LOCK = { $inc: { revision: 1 }, $setOnInsert: { deleted_version: 0 } };

/** The id of a topic's first guard, which has the version of its deletion. */
export const guardKey = ({ kind, id }: Topic) => (kind === 'node' ? id : `decision/${id}`);
const guardOf = (topic: Topic, number: number) =>
  number === 0 ? guardKey(topic) : `${guardKey(topic)}/${number}`;

/** The id as it is stored: a deleted decision may be imported into another workspace, a node may not. */
const storedId = (workspaceId: string, key: string) =>
  key.startsWith('decision/') ? `${workspaceId}/${key}` : key;
const keyOf = (workspaceId: string, _id: string) =>
  _id.startsWith(`${workspaceId}/`) ? _id.slice(workspaceId.length + 1) : _id;

/** Returns a random guard id of the topic, for a post. */
export const anyGuard = (topic: Topic) => guardOf(topic, Math.floor(Math.random() * GUARDS_PER_TOPIC));

export function guardStore(database: Database) {
  const guards = database.collection<Stored<TopicGuard>>(GUARDS);
  const locks = database.locks<Stored<TopicGuard>>(GUARDS);
  return {
    /** Returns the version of the topic's last deletion whose event has arrived; 0 for none. */
    async deletedVersion({ workspace_id, ...topic }: TopicReference): Promise<number> {
      return (
        (await guards.findOne({ workspace_id, _id: storedId(workspace_id, guardKey(topic)) }))
          ?.deleted_version ?? 0
      );
    },

    /** Returns the versions of the last deletions of those among the nodes that were deleted. */
    async deletedVersions(workspace_id: string, ids: readonly string[]): Promise<Map<string, number>> {
      const found = await guards.find({ workspace_id, _id: { $in: [...ids] } }).toArray();
      return new Map(found.map(({ _id, deleted_version }) => [_id, deleted_version]));
    },

    /**
     * Locks one of the topic's guards, by default the first: the transaction conflicts with others that lock
     * it, and with a deletion. Returns the generation of new threads, or null for a deleted topic.
     */
    async lockTopic({ workspace_id, ...topic }: LiveTopic, session: ClientSession, guard = guardKey(topic)) {
      const options = { session, upsert: true, returnDocument: 'after' } as const;
      const { deleted_version } = (await locks.findOneAndUpdate(
        { workspace_id, _id: storedId(workspace_id, guard) },
        LOCK,
        options,
      ))!;
      const generation = Math.max(deleted_version, topic.generation);
      return topic.version > generation ? generation : null;
    },

    /** Locks first guards, by key. Returns the version of the last deletion of each one's topic. */
    async lockGuards(workspace_id: string, keys: string[], session: ClientSession) {
      if (keys.length === 0) return new Map<string, number>();
      const ids = keys.map((key) => storedId(workspace_id, key));
      const locks = ids.map((_id) => ({
        updateOne: { filter: { workspace_id, _id }, update: LOCK, upsert: true },
      }));
      await guards.bulkWrite(locks, { session });
      const found = await guards.find({ workspace_id, _id: { $in: ids } }, { session }).toArray();
      return new Map(found.map(({ _id, deleted_version }) => [keyOf(workspace_id, _id), deleted_version]));
    },

    /** Records deletions in all guards: concurrent posts are retried, and later ones fail. */
    async markDeleted(workspace_id: string, topics: readonly DeletedTopic[]): Promise<void> {
      const deletions = topics.flatMap((topic) => {
        const update = { $max: { deleted_version: topic.version }, $inc: { revision: 1 } };
        return Array.from({ length: GUARDS_PER_TOPIC }, (_, number) => {
          const _id = storedId(workspace_id, guardOf(topic, number));
          return { updateOne: { filter: { workspace_id, _id }, update, upsert: true } };
        });
      });
      if (deletions.length > 0) await guards.bulkWrite(deletions, { ordered: false });
    },
  };
}

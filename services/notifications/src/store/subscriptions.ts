import { ApiError, limits, newId } from '@waymark/contracts';
import { type Database, inTransaction, type Stored } from '@waymark/service-kit/store';
import type { StoredSubscription, SubscriptionRecord } from '../records.ts';
import { MAIL_SETTINGS, SUBSCRIPTIONS } from './collections.ts';

export function subscriptionStore(database: Database) {
  const collection = database.collection<Stored<SubscriptionRecord>>(SUBSCRIPTIONS);
  const settings = database.collection<{ _id: string; revision: number }>(MAIL_SETTINGS);
  const view = ({ workspace_id, record_type, record_id, level }: StoredSubscription): StoredSubscription => {
    return { workspace_id, record_type, record_id, level };
  };

  return {
    async list(userId: string, workspaceIds: string[]): Promise<StoredSubscription[]> {
      // Not those of deleted records.
      const filter = { user_id: userId, workspace_id: { $in: workspaceIds }, expires_at: { $exists: false } };
      return (await collection.find(filter).sort({ workspace_id: 1, record_id: 1 }).toArray()).map(view);
    },

    /** The subscriptions of everyone to any of these records. */
    about(workspaceId: string, recordIds: string[]) {
      return collection.find({ workspace_id: workspaceId, record_id: { $in: recordIds } }).toArray();
    },

    /** Throws LIMIT_EXCEEDED for more in all of `workspaceIds`. */
    async put(
      userId: string,
      workspaceIds: string[],
      subscription: StoredSubscription,
      put_at: string,
    ): Promise<void> {
      const { workspace_id, record_id, ...level } = subscription;
      const set = { ...level, put_at };
      const own = { workspace_id, user_id: userId, record_id };
      const all = { user_id: userId, workspace_id: { $in: workspaceIds } };
      await inTransaction(database.client, async (session) => {
        // Concurrent requests of the person conflict here, so that they do not exceed the limit together.
        await settings.updateOne({ _id: userId }, { $inc: { revision: 1 } }, { upsert: true, session });
        const changed = await collection.updateOne(own, { $set: set }, { session });
        if (changed.matchedCount > 0) return;
        if ((await collection.countDocuments(all, { session })) >= limits.subscriptionsPerUser) {
          const message = `You watch or have muted ${limits.subscriptionsPerUser} records, the maximum.`;
          throw new ApiError('LIMIT_EXCEEDED', { message });
        }
        await collection.insertOne({ _id: newId(), ...own, ...set }, { session });
      });
    },

    async remove(userId: string, workspaceIds: string[], record_id: string): Promise<boolean> {
      const own = { user_id: userId, workspace_id: { $in: workspaceIds }, record_id };
      return (await collection.deleteMany(own)).deletedCount > 0;
    },

    /** Removes the subscriptions of a person in a workspace until a time. */
    async removeOf(workspaceId: string, userId: string, until: string): Promise<void> {
      await collection.deleteMany({
        workspace_id: workspaceId,
        user_id: userId,
        put_at: { $not: { $gt: until } },
      });
    },
  };
}

import type { Database, Stored } from '@waymark/service-kit/store';
import type { MessageRecord, NotificationRecord, SubscriptionRecord } from './records.ts';
import { MAIL_SETTINGS, MESSAGES, NOTIFICATIONS, SUBSCRIPTIONS } from './store/collections.ts';

/** Deletes a person's inbox, and removes the name from those of others. Returns how many it changed. */
export async function erasePersonFromNotifications(database: Database, userId: string): Promise<number> {
  const notifications = database.collection<Stored<NotificationRecord>>(NOTIFICATIONS);
  const { deletedCount } = await notifications.deleteMany({ user_id: userId });
  await database.collection<Stored<SubscriptionRecord>>(SUBSCRIPTIONS).deleteMany({ user_id: userId });
  await database.collection<{ _id: string }>(MAIL_SETTINGS).deleteOne({ _id: userId });
  const named = { 'actor.id': userId, 'actor.name': { $ne: null } };
  const { modifiedCount } = await notifications.updateMany(named, { $set: { 'actor.name': null } });
  const messages = database.collection<Stored<MessageRecord>>(MESSAGES);
  await messages.updateMany(
    { author_id: userId, 'author.name': { $ne: null } },
    { $set: { 'author.name': null } },
  );
  return deletedCount + modifiedCount;
}

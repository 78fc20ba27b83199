import { limits, type NotificationKind } from '@waymark/contracts';
import { type Database, type PageRequest, recordCollection, type Stored } from '@waymark/service-kit/store';
import type { Filter } from 'mongodb';
import { type NotificationRecord, notificationDefaults } from '../records.ts';
import { NOTIFICATIONS, REMOVED, toRemove } from './collections.ts';

const NEWEST = [
  ['listed_at', -1],
  ['_id', -1],
] as const;
type InboxFilter = Filter<Stored<NotificationRecord>>;

/** The part of an inbox that its person may see: only of these workspaces, and nothing that is snoozed. */
export interface View {
  userId: string;
  workspaceIds: string[];
  now: string;
}

export function inboxStore(database: Database) {
  const records = recordCollection<NotificationRecord>(database, NOTIFICATIONS, {
    defaults: notificationDefaults,
  });
  const { collection } = records;

  const kept = ({ userId, workspaceIds }: View) =>
    ({
      user_id: userId,
      workspace_id: { $in: workspaceIds },
      listed_at: { $ne: REMOVED },
    }) satisfies InboxFilter;
  const seen = (view: View) => ({ ...kept(view), listed_at: { $lte: view.now } }) satisfies InboxFilter;

  return {
    page(view: View, { unread, ...page }: PageRequest & { unread?: boolean | undefined }) {
      const { userId, workspaceIds } = view;
      const scope = `notifications/${userId}/${workspaceIds.length === 1 && workspaceIds[0]}/${unread}`;
      const filter = { ...seen(view), ...(unread && { read_at: null }) };
      return records.page(filter, NEWEST, page, scope);
    },

    countUnread: (view: View) =>
      collection.countDocuments({ ...seen(view), read_at: null }, { limit: limits.countedNotifications }),

    update(view: View, id: string, set: Partial<NotificationRecord>): Promise<NotificationRecord | null> {
      // An empty $set is refused.
      return records.findAndUpdate({ ...kept(view), _id: id }, { $set: { user_id: view.userId, ...set } });
    },

    find: (view: View, id: string) => records.findOne({ ...kept(view), _id: id }),

    /** Returns how many it marked. */
    async markRead(view: View, upTo: string): Promise<number> {
      const unread = { ...seen(view), read_at: null, created_at: { $lte: upTo } };
      return (await collection.updateMany(unread, { $set: { read_at: view.now } })).modifiedCount;
    },

    /** Removes the notifications of a person in a workspace until a time. */
    async removeOf(workspaceId: string, userId: string, until: string, kinds?: NotificationKind[]) {
      const theirs = { workspace_id: workspaceId, user_id: userId, created_at: { $lte: until } };
      await collection.deleteMany({ ...theirs, ...(kinds && { kind: { $in: kinds } }) });
    },

    async removeAbout(workspaceId: string, recordId: string): Promise<void> {
      await collection.updateMany({ workspace_id: workspaceId, record_id: recordId }, toRemove);
    },
  };
}

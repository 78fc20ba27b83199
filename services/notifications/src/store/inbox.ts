import { type CursorCodec, limits, type NotificationKind } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  keysetPage,
  type PageRequest,
  type Stored,
} from '@waymark/service-kit/store';
import type { Filter } from 'mongodb';
import type { NotificationRecord } from '../records.ts';
import { NOTIFICATIONS } from './collections.ts';

type InboxFilter = Filter<Stored<NotificationRecord>>;

/** The part of an inbox that its person may see: only of these workspaces, and nothing that is snoozed. */
export interface View {
  userId: string;
  workspaceIds: string[];
  now: string;
}

export function inboxStore(database: Database, cursors: CursorCodec) {
  const collection = database.collection<Stored<NotificationRecord>>(NOTIFICATIONS);

  const seen = ({ userId, workspaceIds, now }: View) =>
    ({
      user_id: userId,
      workspace_id: { $in: workspaceIds },
      listed_at: { $lte: now },
    }) satisfies InboxFilter;

  return {
    page(view: View, { unread, ...page }: PageRequest & { unread?: boolean | undefined }) {
      return keysetPage<NotificationRecord>({
        collection,
        filter: { ...seen(view), ...(unread && { read_at: null }) },
        sort: [
          ['listed_at', -1],
          ['_id', -1],
        ],
        page,
        cursors,
        scope: `notifications/${view.userId}/${view.workspaceIds.length === 1 && view.workspaceIds[0]}/${unread}`,
      });
    },

    countUnread: (view: View) =>
      collection.countDocuments({ ...seen(view), read_at: null }, { limit: limits.countedNotifications }),

    async update(
      view: View,
      id: string,
      set: Partial<NotificationRecord>,
    ): Promise<NotificationRecord | null> {
      const { listed_at: _, ...own } = seen(view);
      const found = await collection.findOneAndUpdate(
        { ...own, _id: id },
        // An empty $set is refused.
        { $set: { user_id: view.userId, ...set } },
        { returnDocument: 'after' },
      );
      return found && fromDocument<NotificationRecord>(found);
    },

    find: async ({ userId, workspaceIds }: View, id: string) => {
      const found = await collection.findOne({
        user_id: userId,
        workspace_id: { $in: workspaceIds },
        _id: id,
      });
      return found && fromDocument<NotificationRecord>(found);
    },

    /** Returns how many it marked. */
    async markRead(view: View, upTo: string): Promise<number> {
      const unread = { ...seen(view), read_at: null, created_at: { $lte: upTo } };
      return (await collection.updateMany(unread, { $set: { read_at: view.now } })).modifiedCount;
    },

    /** Removes what a person was told in a workspace until a time. */
    async removeOf(workspaceId: string, userId: string, until: string, kinds?: NotificationKind[]) {
      const theirs = { workspace_id: workspaceId, user_id: userId, created_at: { $lte: until } };
      await collection.deleteMany({ ...theirs, ...(kinds && { kind: { $in: kinds } }) });
    },

    async removeAbout(workspaceId: string, recordId: string): Promise<void> {
      await collection.deleteMany({ workspace_id: workspaceId, record_id: recordId });
    },
  };
}

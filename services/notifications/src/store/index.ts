import type { CursorCodec } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import { inboxStore } from './inbox.ts';
import { subjectStore } from './subjects.ts';
import { subscriptionStore } from './subscriptions.ts';

export type Store = ReturnType<typeof notificationStore>;

export const notificationStore = (database: Database, cursors: CursorCodec) => ({
  inbox: inboxStore(database, cursors),
  subscriptions: subscriptionStore(database),
  ...subjectStore(database),
});

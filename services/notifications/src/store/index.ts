import type { Database } from '@waymark/service-kit/store';
import { fillStore } from './fill.ts';
import { inboxStore } from './inbox.ts';
import { mailSettingsStore } from './mail-settings.ts';
import { subjectStore } from './subjects.ts';
import { subscriptionStore } from './subscriptions.ts';
import { toMailStore } from './to-mail.ts';

export type Store = ReturnType<typeof openStore>;

export const openStore = (database: Database) => ({
  fill: fillStore(database),
  inbox: inboxStore(database),
  mailSettings: mailSettingsStore(database),
  toMail: toMailStore(database),
  subscriptions: subscriptionStore(database),
  ...subjectStore(database),
});

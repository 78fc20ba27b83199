import type { ServiceAccount } from '@waymark/contracts';
import {
  type Database,
  type DatabaseSession,
  type PageRequest,
  recordCollection,
} from '@waymark/service-kit/store';

export interface ServiceAccountRecord extends ServiceAccount {
  version: number;
}

export type ServiceAccountStore = ReturnType<typeof serviceAccountStore>;

export function serviceAccountStore(database: Database) {
  const accounts = recordCollection<ServiceAccountRecord>(database, 'service_accounts');
  return {
    byId: accounts.byId,
    insert: accounts.insert,
    replace: accounts.replace,
    remove: accounts.remove,

    inWorkspace: (workspace_id: string, id: string, session?: DatabaseSession) =>
      accounts.findOne({ _id: id, workspace_id }, session),

    byName: (workspace_id: string, name: string, session: DatabaseSession) =>
      accounts.findOne({ workspace_id, name }, session),

    page(workspaceId: string, page: PageRequest) {
      const scope = `service-accounts/${workspaceId}`;
      return accounts.page({ workspace_id: workspaceId }, -1, page, scope);
    },

    count: (workspace_id: string, session: DatabaseSession) => accounts.count({ workspace_id }, session),
  };
}

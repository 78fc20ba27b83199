import type { Database, Indexes } from '@waymark/service-kit/store';
import { apiKeyIndexes, apiKeyStore } from './store/api-keys.ts';
import { deletionIndexes, deletionStore } from './store/deletions.ts';
import { identityIndexes, identityStore } from './store/identities.ts';
import { invitationIndexes, invitationStore } from './store/invitations.ts';
import { memberIndexes, memberStore } from './store/members.ts';
import { sessionIndexes, sessionStore } from './store/sessions.ts';
import { userIndexes, userStore } from './store/users.ts';
import { workspaceIndexes, workspaceStore } from './store/workspaces.ts';

/** The collection of the sign-in limiters, whose documents the library shapes. */
export const SIGN_IN_ATTEMPTS = 'sign_in_attempts';

export const indexes: Indexes = {
  ...userIndexes,
  ...sessionIndexes,
  ...workspaceIndexes,
  ...memberIndexes,
  ...apiKeyIndexes,
  ...deletionIndexes,
  ...invitationIndexes,
  ...identityIndexes,
  [SIGN_IN_ATTEMPTS]: [
    { key: { key: 1 }, unique: true },
    { key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
};

export type Store = ReturnType<typeof openStore>;

export function openStore(database: Database) {
  const workspaces = workspaceStore(database);
  return {
    users: userStore(database),
    sessions: sessionStore(database),
    workspaces,
    members: memberStore(database, workspaces),
    apiKeys: apiKeyStore(database),
    deletions: deletionStore(database),
    invitations: invitationStore(database),
    identities: identityStore(database),
  };
}

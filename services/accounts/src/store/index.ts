import type { CursorCodec } from '@waymark/contracts';
import type { Database, Indexes } from '@waymark/service-kit/store';
import { apiKeyIndexes, apiKeyStore } from './api-keys.ts';
import { deletionIndexes, deletionStore } from './deletions.ts';
import { identityIndexes, identityStore } from './identities.ts';
import { invitationIndexes, invitationStore } from './invitations.ts';
import { memberIndexes, memberStore } from './members.ts';
import { sessionIndexes, sessionStore } from './sessions.ts';
import { userIndexes, userStore } from './users.ts';
import { workspaceIndexes, workspaceStore } from './workspaces.ts';

/** The collection of the sign-in rate limits; rate-limiter-flexible defines its documents. */
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

export function openStore(database: Database, cursors: CursorCodec) {
  const workspaces = workspaceStore(database);
  return {
    users: userStore(database),
    sessions: sessionStore(database),
    workspaces,
    members: memberStore(database, workspaces, cursors),
    apiKeys: apiKeyStore(database, cursors),
    deletions: deletionStore(database),
    invitations: invitationStore(database, cursors),
    identities: identityStore(database),
  };
}

import type { Database, Indexes } from '@waymark/service-kit/store';
import { apiKeyStore } from './api-keys.ts';
import { deletionStore } from './deletions.ts';
import { deviceLoginStore } from './device-logins.ts';
import { identityStore } from './identities.ts';
import { invitationStore } from './invitations.ts';
import { mailStore } from './mails.ts';
import { memberStore } from './members.ts';
import { passkeyStore, USED_CHALLENGES } from './passkeys.ts';
import { savedViewStore } from './saved-views.ts';
import { serviceAccountStore } from './service-accounts.ts';
import { sessionStore } from './sessions.ts';
import { userStore } from './users.ts';
import { workspaceStore } from './workspaces.ts';

/** The collection of the sign-in rate limits; rate-limiter-flexible defines its documents. */
export const SIGN_IN_ATTEMPTS = 'sign_in_attempts';

const EXPIRING = { key: { remove_at: 1 }, expireAfterSeconds: 0 };

export const indexes: Indexes = {
  users: [
    { key: { email: 1 }, unique: true },
    { key: { 'totp.key_id': 1 }, partialFilterExpression: { 'totp.key_id': { $type: 'string' } } },
  ],
  sessions: [{ key: { token_hash: 1 }, unique: true }, { key: { user_id: 1, _id: -1 } }, EXPIRING],
  workspaces: [],
  members: [
    { key: { workspace_id: 1, user_id: 1 }, unique: true },
    { key: { workspace_id: 1, _id: 1 } },
    { key: { user_id: 1 } },
  ],
  api_keys: [
    { key: { key_hash: 1 }, unique: true },
    { key: { workspace_id: 1, _id: -1 } },
    { key: { workspace_id: 1, service_account_id: 1, _id: -1 } },
    { key: { workspace_id: 1, revoked_at: 1 } },
    {
      key: { 'grant.family_hash': 1 },
      unique: true,
      partialFilterExpression: { 'grant.family_hash': { $type: 'string' } },
    },
    {
      key: { created_by: 1, _id: -1 },
      partialFilterExpression: { 'grant.client_id': { $type: 'string' } },
    },
    { key: { expires_at: 1 }, partialFilterExpression: { expires_at: { $type: 'string' } } },
    {
      key: { created_by: 1, settings_until: 1 },
      partialFilterExpression: { settings_until: { $type: 'string' } },
    },
  ],
  service_accounts: [
    { key: { workspace_id: 1, name: 1 }, unique: true },
    { key: { workspace_id: 1, _id: -1 } },
  ],
  workspace_deletions: [{ key: { due_at: 1 } }],
  invitations: [
    { key: { token_hash: 1 }, unique: true },
    { key: { workspace_id: 1, _id: -1 } },
    { key: { email: 1, _id: 1 }, partialFilterExpression: { email: { $type: 'string' } } },
    EXPIRING,
  ],
  mails: [
    { key: { is_urgent: -1, due_at: 1 } },
    { key: { created_at: 1 } },
    { key: { to: 1 } },
    { key: { workspace_id: 1 } },
    EXPIRING,
  ],
  mailed_notifications: [EXPIRING],
  identities: [{ key: { issuer: 1, subject: 1 }, unique: true }, { key: { user_id: 1 } }],
  saved_views: [{ key: { workspace_id: 1, owner_id: 1 } }, { key: { workspace_id: 1, shared: 1 } }],
  list_settings: [{ key: { workspace_id: 1, user_id: 1 } }],
  passkeys: [{ key: { credential_id: 1 }, unique: true }, { key: { user_id: 1, _id: 1 } }],
  device_logins: [
    { key: { device_hash: 1 }, unique: true },
    { key: { user_hash: 1 }, unique: true },
    EXPIRING,
  ],
  [USED_CHALLENGES]: [EXPIRING],
  [SIGN_IN_ATTEMPTS]: [
    { key: { key: 1 }, unique: true },
    { key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
};

export function openStore(database: Database) {
  const workspaces = workspaceStore(database);
  const serviceAccounts = serviceAccountStore(database);
  return {
    users: userStore(database),
    sessions: sessionStore(database),
    workspaces,
    serviceAccounts,
    members: memberStore(database, { workspaces, serviceAccounts }),
    apiKeys: apiKeyStore(database),
    deletions: deletionStore(database),
    deviceLogins: deviceLoginStore(database),
    invitations: invitationStore(database),
    identities: identityStore(database),
    mails: mailStore(database),
    passkeys: passkeyStore(database),
    savedViews: savedViewStore(database),
  };
}

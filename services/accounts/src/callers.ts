import {
  ApiError,
  type KeyPrincipal,
  type Membership,
  roleReaches,
  type SessionPrincipal,
  scopesWithin,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { DatabaseSession } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from './context.ts';
import type { ApiKeyRecord } from './store/api-keys.ts';
import type { SessionRecord } from './store/sessions.ts';
import { settingsOf, type WorkspaceRecord } from './store/workspaces.ts';
import { keyTag, tagOfKey, workspaceTag } from './tags.ts';

export const isPast = (service: AccountsContext, time: string | null) =>
  time !== null && time <= timestamp(service);

export const isUsable = (service: AccountsContext, key: ApiKeyRecord) =>
  key.revoked_at === null && !isPast(service, key.expires_at);

export const isActive = (service: AccountsContext, session: SessionRecord) =>
  session.ended_at === null && !isPast(service, session.expires_at);

/** Returns the principal behind the hash of a key. No version in `tags` is newer than the record it read. */
export async function resolveKey(service: AccountsContext, hash: string) {
  const { store, now } = service;
  const key = await store.apiKeys.byHash(hash);
  if (!key) return { principal: null, allowed_ips: [], expires_in_ms: null, tags: { [keyTag(hash)]: 0 } };
  // Read before the role of the key, with whose changes the revision increments.
  const workspace = await store.workspaces.byId(key.workspace_id);
  const endsAt = key.grant ? key.grant.access_expires_at : key.expires_at;
  const principal = workspace && !isPast(service, endsAt) ? await principalOf(service, key, workspace) : null;
  return {
    principal,
    allowed_ips: principal ? key.allowed_ips : [],
    expires_in_ms: principal && endsAt !== null ? Date.parse(endsAt) - now() : null,
    settings_in_ms: principal?.settings_until ? Date.parse(principal.settings_until) - now() : null,
    tags: {
      [tagOfKey(key)]: key.version,
      // No tag for a deleted workspace: no later version could invalidate the response.
      ...(workspace && { [workspaceTag(key.workspace_id)]: workspace.revision }),
    },
  };
}

/**
 * Returns the principal of a usable key, else null. A key may do what its service account may, or what the
 * member who has created it may; an admin can keep the keys of members who leave, but not their grants. A
 * grant needs the second factor that its workspace requires of sessions.
 */
export async function principalOf(
  service: AccountsContext,
  key: ApiKeyRecord,
  workspace: WorkspaceRecord,
): Promise<KeyPrincipal | null> {
  const { store } = service;
  if (!isUsable(service, key)) return null;
  const { service_account_id: accountId } = key;
  const account = accountId === null ? null : await store.serviceAccounts.byId(accountId);
  if (accountId !== null && !account) return null;
  const { membership } = await store.members.lookUp(accountId ?? key.created_by, workspace.id);
  if (key.grant && !membership) return null;
  if (key.grant?.second_factor === null && membership?.requires_second_factor) return null;
  const settingsEnd = settingsEndOf(service, key, membership);
  return {
    type: 'api_key',
    key_id: key.id,
    key_name: key.name,
    key_prefix: key.key_prefix,
    user_id: account?.id ?? key.created_by,
    workspace_id: key.workspace_id,
    scopes: membership ? scopesWithin(membership.role, key.scopes) : key.scopes,
    plan: workspace.plan,
    ...settingsOf(workspace),
    ...(account && { service_account: { name: account.name, role: account.role } }),
    ...(settingsEnd && { settings_until: settingsEnd }),
  };
}

/** Until when a key may change settings: as long as its person is an admin. Null if it may not. */
export function settingsEndOf(
  service: AccountsContext,
  { settings_until }: ApiKeyRecord,
  membership: Membership | null,
): string | null {
  const isAdmin = membership !== null && roleReaches(membership.role, 'admin');
  return isAdmin && !isPast(service, settings_until) ? settings_until : null;
}

/** The second factor of a session, as its principal states it. */
export const secondFactorOf = ({ second_factor }: SessionRecord): Pick<SessionPrincipal, 'second_factor'> =>
  second_factor === null ? {} : { second_factor: true };

/** Returns a caller with its rights as they are now; null when its key or session has ended. */
export async function refreshCaller(
  service: AccountsContext,
  principal: KeyPrincipal | SessionPrincipal,
): Promise<KeyPrincipal | SessionPrincipal | null> {
  const { store } = service;
  if (principal.type === 'api_key') {
    const key = await store.apiKeys.byId(principal.key_id);
    const workspace = key && (await store.workspaces.byId(key.workspace_id));
    const current = workspace && (await principalOf(service, key, workspace));
    return current && { ...current, ...(principal.via && { via: principal.via }) };
  }
  const session = await store.sessions.byId(principal.session_id);
  if (!session || !isActive(service, session)) return null;
  const { second_factor: _, ...rest } = principal;
  const current = { ...rest, ...secondFactorOf(session) };
  if (!principal.membership) return current;
  const { workspace_id } = principal.membership;
  return { ...current, membership: (await store.members.lookUp(session.user_id, workspace_id)).membership };
}

/**
 * Reads the credentials of a request in the transaction of a change, so that no change follows their end.
 * Returns the key; null for a session. Throws UNAUTHORIZED.
 */
export async function checkCredentials(
  service: AccountsContext,
  { principal }: Pick<RequestContext, 'principal'>,
  session: DatabaseSession,
): Promise<ApiKeyRecord | null> {
  const { store } = service;
  if (principal.type === 'api_key') {
    const key = await store.apiKeys.byId(principal.key_id, session);
    if (key && isUsable(service, key)) return key;
  } else if (principal.type === 'session') {
    const found = await store.sessions.byId(principal.session_id, session);
    if (found && isActive(service, found)) return null;
  }
  throw new ApiError('UNAUTHORIZED');
}

import {
  type Actor,
  ApiError,
  type ApiKey,
  type ApiKeyCreate,
  apiKeyPrefix,
  hashSecret,
  invalid,
  limits,
  mintApiKey,
  newId,
  type Role,
  scopes,
  scopesOfRole,
  scopesWithin,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween, subjectOf, type Transaction, viewPage } from '@waymark/service-kit/store';
import { isPast } from './callers.ts';
import { changeRecord, changeWorkspace, type Reference, type WorkspaceChange } from './change-workspace.ts';
import { type AccountsContext, timestamp } from './context.ts';
import { checkWithin } from './key-restrictions.ts';
import type { ApiKeyPageRequest, ApiKeyRecord, SettingsOf } from './store/api-keys.ts';
import { tagOfKey } from './tags.ts';
import { apiKeyView } from './views.ts';

/** An API key; the first response to its creation also has its plaintext. */
type ApiKeyWithSecret = ApiKey & { key?: string };

const GRANTS = [
  'name',
  'service_account_id',
  'scopes',
  'allowed_ips',
  'expires_at',
  'settings_until',
] as const;

/** The stored parts of a plaintext key. */
type StoredKey = Pick<ApiKeyRecord, 'key_hash' | 'key_prefix'>;
const storedForm = (key: string): StoredKey => ({
  key_hash: hashSecret(key),
  key_prefix: apiKeyPrefix(key),
});

export async function listApiKeys({ store }: AccountsContext, ctx: RequestContext, page: ApiKeyPageRequest) {
  return viewPage(await store.apiKeys.page(ctx.access.workspaceId, page), apiKeyView);
}

/**
 * Throws VALIDATION_ERROR, also for an expiry in the past or scopes above the role; LIMIT_EXCEEDED; FORBIDDEN
 * for a key that is stronger than the one that makes it.
 */
export function createApiKey(service: AccountsContext, ctx: RequestContext, input: ApiKeyCreate) {
  const { expires_at } = input;
  if (isPast(service, expires_at)) throw invalid('expiresAt', 'must be in the future');
  const create = async (change: WorkspaceChange): Promise<ApiKeyWithSecret> => {
    const key = mintApiKey();
    return { ...(await addApiKey(service, change, input, storedForm(key))), key };
  };
  return changeWorkspace(service, ctx, create, { redact: apiKeyView });
}

/** Adds a key whose plaintext is known elsewhere. Throws as `createApiKey` does. */
export async function addApiKey(
  service: AccountsContext,
  change: WorkspaceChange,
  input: Omit<ApiKeyCreate, 'workspace_id'>,
  stored: StoredKey,
): Promise<ApiKey> {
  const { tx } = change;
  // Conflicts with a new password, which ends the right of all keys to change settings.
  if (input.changes_settings) await service.store.users.update(change.callerId, tx.session);
  await checkServiceAccount(service, change, input);
  await checkCount(service, change, { isReplaced: false });
  const grants = {
    ...input,
    service_account_id: input.service_account_id ?? null,
    scopes: scopes.filter((scope) => input.scopes.includes(scope)),
    allowed_ips: [...new Set(input.allowed_ips)],
    settings_until: settingsEndFor(service, change, input),
  };
  checkWithin(change.key, grants);
  const record = await insertApiKey(service, change, grants, stored);
  const data = apiKeyView(record);
  const changes = changesBetween(null, data, ['key_prefix', ...GRANTS]);
  tx.emit('api_key.created', { subject: subjectOf('api_key', record), data, changes });
  return data;
}

/** Throws LIMIT_EXCEEDED when there are too many keys in use, or too many replaced ones that still work. */
async function checkCount(
  service: AccountsContext,
  { tx, workspace }: WorkspaceChange,
  { isReplaced }: { isReplaced: boolean },
): Promise<void> {
  const state = { now: timestamp(service), isReplaced };
  const max = service.config.apiKeysPerWorkspace;
  if ((await service.store.apiKeys.countActive(workspace.id, state, tx.session)) < max) return;
  const message = isReplaced
    ? `The workspace already has ${max} replaced API keys that still work, the maximum; rotate without an overlap.`
    : `The workspace already has ${max} active API keys, the maximum; revoke one first.`;
  throw new ApiError('LIMIT_EXCEEDED', { message });
}

/**
 * Replaces a key by one with the same grants. Throws CONFLICT for an unusable or replaced key, FORBIDDEN for
 * another person's, LIMIT_EXCEEDED for too many overlaps.
 */
export function rotateApiKey(
  service: AccountsContext,
  ctx: RequestContext,
  reference: Reference,
  overlapSeconds: number,
): Promise<ApiKeyWithSecret> {
  const rotate = async (change: WorkspaceChange, old: ApiKeyRecord) => {
    checkUsable(service, old);
    if (old.grant) throw new ApiError('CONFLICT', { message: 'A program renews its own access.' });
    checkIsOwn(change, old);
    checkWithin(change.key, old);
    if (overlapSeconds > 0) await checkCount(service, change, { isReplaced: true });
    const key = mintApiKey();
    const record = await insertApiKey(service, change, { ...old, settings_until: null }, storedForm(key));
    const overlapEnd = timestamp(service, service.now() + overlapSeconds * 1_000);
    const expires_at = old.expires_at !== null && old.expires_at < overlapEnd ? old.expires_at : overlapEnd;
    const ending = overlapSeconds === 0 ? { revoked_at: timestamp(service) } : { expires_at };
    const replaced = await updateApiKey(service, change.tx, old, { ...ending, rotated_to: record.id });
    const data = apiKeyView(record);
    change.tx.emit('api_key.rotated', {
      subject: subjectOf('api_key', replaced),
      data: { replaced: apiKeyView(replaced), api_key: data },
      changes: changesBetween(old, replaced, ['expires_at', 'revoked_at', 'rotated_to']),
    });
    return { ...data, key };
  };
  const { byId } = service.store.apiKeys;
  return changeRecord(service, ctx, reference, byId, rotate, { redact: apiKeyView });
}

/** The key of a person speaks for that person, so nobody else gets one in its place. */
function checkIsOwn(change: WorkspaceChange, { service_account_id, created_by }: ApiKeyRecord): void {
  if (service_account_id !== null || created_by === change.callerId) return;
  const message = 'Only the person who created this key may rotate it; you may revoke it.';
  throw new ApiError('FORBIDDEN', { reason: 'role', message });
}

/** A key that is already revoked stays as it is, so that the call can be repeated. */
export function revokeApiKey(service: AccountsContext, ctx: RequestContext, reference: Reference) {
  return changeRecord(service, ctx, reference, service.store.apiKeys.byId, async ({ tx }, key) => {
    if (key.revoked_at === null) await revokeKey(service, tx, key);
  });
}

/** Revokes the keys of a member or a service account, in the transaction that removes it. */
export async function revokeKeysOf(
  service: AccountsContext,
  tx: Transaction,
  holder: { workspace_id: string; id: string },
  by?: Actor,
) {
  for (const key of await service.store.apiKeys.activeOf(holder, timestamp(service), tx.session))
    await revokeKey(service, tx, key, by);
}

/** Revokes the grants of a person, because somebody who knew the old password may have given them. */
export async function revokeGrantsOf(service: AccountsContext, tx: Transaction, userId: string, by?: Actor) {
  for (const key of await service.store.apiKeys.grantsOf(userId, timestamp(service), tx.session))
    await revokeKey(service, tx, key, by);
  await endSettingsOf(service, tx, { created_by: userId });
}

/** Ends the right of keys to change settings. */
export async function endSettingsOf(service: AccountsContext, tx: Transaction, of: SettingsOf) {
  for (const key of await service.store.apiKeys.changingSettings(of, timestamp(service), tx.session))
    await updateApiKey(service, tx, key, { settings_until: null });
}

/** Takes the scopes above the role of a removed member from the keys that are kept, and revokes grants. */
export async function limitKeysOf(
  service: AccountsContext,
  tx: Transaction,
  holder: { workspace_id: string; id: string },
  role: Role,
) {
  for (const key of await service.store.apiKeys.activeOf(holder, timestamp(service), tx.session)) {
    if (key.grant) {
      await revokeKey(service, tx, key);
      continue;
    }
    const allowed = scopesWithin(role, key.scopes);
    if (allowed.length < key.scopes.length) await updateApiKey(service, tx, key, { scopes: allowed });
  }
}

/** Revokes a key, by default in the name of the caller. */
export async function revokeKey(service: AccountsContext, tx: Transaction, key: ApiKeyRecord, by?: Actor) {
  const revoked = await updateApiKey(service, tx, key, { revoked_at: timestamp(service) });
  tx.emit('api_key.revoked', {
    subject: subjectOf('api_key', revoked),
    data: apiKeyView(revoked),
    changes: changesBetween(key, revoked, ['revoked_at']),
    workspaceId: key.workspace_id,
    action: 'api_key.revoke',
    ...(by && { actor: by }),
  });
}

/** Until when a new key may change settings. Throws FORBIDDEN for a key that gives this, VALIDATION_ERROR. */
function settingsEndFor(
  service: AccountsContext,
  { key }: WorkspaceChange,
  { changes_settings, scopes, service_account_id }: Omit<ApiKeyCreate, 'workspace_id'>,
): string | null {
  if (!changes_settings) return null;
  if (key !== null) {
    const message = 'Only a person in a session may let a key change settings; sign in.';
    throw new ApiError('FORBIDDEN', { reason: 'key_restrictions', message });
  }
  if (service_account_id || !scopes.includes('write'))
    throw invalid('changesSettings', 'is for a key of your own with the scope write');
  return timestamp(service, service.now() + limits.settingsSeconds * 1_000);
}

/** Throws VALIDATION_ERROR without such a service account, and for a scope that its role does not give. */
async function checkServiceAccount(
  { store }: AccountsContext,
  { tx, workspace }: WorkspaceChange,
  { service_account_id: id, scopes: wanted }: Pick<ApiKeyCreate, 'service_account_id' | 'scopes'>,
): Promise<void> {
  if (!id) return;
  const account = await store.serviceAccounts.inWorkspace(workspace.id, id, tx.session);
  if (!account) throw invalid('serviceAccountId', 'is not a service account of this workspace');
  if (wanted.some((scope) => !scopesOfRole(account.role).includes(scope)))
    throw invalid('scopes', `can only be read, because ${account.name} is a ${account.role}`);
}

async function insertApiKey(
  service: AccountsContext,
  change: WorkspaceChange,
  grants: Pick<ApiKeyRecord, (typeof GRANTS)[number]>,
  stored: StoredKey,
) {
  const record: ApiKeyRecord = {
    id: newId(),
    workspace_id: change.workspace.id,
    name: grants.name,
    service_account_id: grants.service_account_id,
    ...stored,
    scopes: grants.scopes,
    allowed_ips: grants.allowed_ips,
    created_by: change.callerId,
    created_at: timestamp(service),
    expires_at: grants.expires_at,
    settings_until: grants.settings_until,
    last_used_at: null,
    revoked_at: null,
    rotated_to: null,
    version: 1,
  };
  await service.store.apiKeys.insert(record, change.tx.session);
  return record;
}

/** Stores a key's new state and makes every cache drop the old one before the caller gets a response. */
export async function updateApiKey(
  service: AccountsContext,
  tx: Transaction,
  key: ApiKeyRecord,
  state: Partial<ApiKeyRecord>,
) {
  const updated = { ...key, ...state, version: key.version + 1 };
  await service.store.apiKeys.update(updated, tx.session);
  tx.invalidate({ [tagOfKey(key)]: updated.version });
  return updated;
}

function checkUsable(service: AccountsContext, key: ApiKeyRecord): void {
  const conflict = (state: string) =>
    new ApiError('CONFLICT', { message: `This key ${state}; create a new one, or rotate the one in use.` });
  if (key.rotated_to !== null) throw conflict(`was replaced by ${key.rotated_to}`);
  if (key.revoked_at !== null) throw conflict('is revoked');
  if (isPast(service, key.expires_at)) throw conflict('has expired');
}

import { ApiError, type Membership, type Role, roleOfKey } from '@waymark/contracts';
import {
  accessIn,
  authorizeRecord,
  checkForRestrictedKey,
  type RequestContext,
} from '@waymark/service-kit/http';
import type { DatabaseSession, Transaction } from '@waymark/service-kit/store';
import { checkCredentials, settingsEndOf } from './callers.ts';
import type { AccountsContext } from './context.ts';
import { isRestricted } from './key-restrictions.ts';
import type { ApiKeyRecord } from './store/api-keys.ts';
import type { WorkspaceRecord } from './store/workspaces.ts';
import { workspaceTag } from './tags.ts';

/** A change of a workspace, its members, service accounts or keys; concurrent changes conflict with it. */
export interface WorkspaceChange {
  tx: Transaction;
  /** The workspace with its revision already incremented. */
  workspace: WorkspaceRecord;
  /** The user or the service account that makes the change. */
  callerId: string;
  /** The key that makes the change, which ends with its right to; null for a session. */
  key: ApiKeyRecord | null;
  /** The caller's role, read in this transaction. */
  role: Role;
  invalidateMembers: () => void;
}

/**
 * Runs `work` in a transaction that increments the workspace's revision, so that its checks (last owner,
 * limits) still hold when it commits. Throws FORBIDDEN when the caller has lost the role meanwhile, and
 * UNAUTHORIZED when its key or session has ended.
 */
export function changeWorkspace<T>(
  service: AccountsContext,
  ctx: RequestContext,
  work: (change: WorkspaceChange) => Promise<T>,
  options?: { redact?: (result: T) => T },
): Promise<T> {
  const { commit, store } = service;
  const { workspaceId } = ctx.access;
  const callerId = roleHolder(ctx);
  const run = async (tx: Transaction) => {
    const found = await checkCredentials(service, ctx, tx.session);
    if (found?.service_account_id && isRestricted(found)) checkForRestrictedKey(ctx.operation);
    const workspace = await store.workspaces.incrementRevision(workspaceId, tx.session);
    if (!workspace) throw new ApiError('NOT_FOUND');
    const { membership } = await store.members.lookUp(callerId, workspaceId, tx.session);
    const isPersonal = found?.service_account_id === null;
    const [key, holder] = isPersonal ? forSettings(service, found, membership) : [found, membership];
    const { role } = accessIn(ctx.operation, ctx.principal, workspaceId, holder);
    const invalidateMembers = () => tx.invalidate({ [workspaceTag(workspaceId)]: workspace.revision });
    return work({ tx, workspace, callerId, key, role: role!, invalidateMembers });
  };
  return commit(ctx, run, { ...options, queueKey: workspaceId });
}

/** The key of a person as it may change settings: until its hour ends, and as an admin. Throws FORBIDDEN. */
function forSettings(
  service: AccountsContext,
  key: ApiKeyRecord,
  membership: Membership | null,
): [ApiKeyRecord, Membership] {
  const end = settingsEndOf(service, key, membership);
  if (end === null || membership === null) {
    const message = 'This API key may no longer change settings; run waymark login, or sign in.';
    throw new ApiError('FORBIDDEN', { reason: 'key_on_settings', message });
  }
  const expires_at = key.expires_at !== null && key.expires_at < end ? key.expires_at : end;
  return [
    { ...key, expires_at },
    { ...membership, role: 'admin' },
  ];
}

/** The id of the user or the service account behind a request. */
function roleHolder({ principal }: RequestContext): string {
  if (principal.type === 'session') return principal.user_id;
  if (principal.type === 'api_key' && roleOfKey(principal)) return principal.user_id;
  throw new ApiError('UNAUTHORIZED');
}

/** A record that a request names by its id, and the workspace that the request names, if any. */
export interface Reference {
  id: string;
  workspaceId: string | undefined;
}

/** `changeWorkspace` for the workspace of a record, read again in the transaction. Throws NOT_FOUND. */
export async function changeRecord<R extends { workspace_id: string }, T>(
  service: AccountsContext,
  ctx: RequestContext,
  { id, workspaceId }: Reference,
  byId: (id: string, session?: DatabaseSession) => Promise<R | null>,
  work: (change: WorkspaceChange, record: R) => Promise<T>,
  options?: { redact?: (result: T) => T },
): Promise<T> {
  await authorizeRecord(ctx, await byId(id), workspaceId);
  const changeIt = async (change: WorkspaceChange) => {
    const record = await byId(id, change.tx.session);
    if (!record) throw new ApiError('NOT_FOUND');
    return work(change, record);
  };
  return changeWorkspace(service, ctx, changeIt, options);
}

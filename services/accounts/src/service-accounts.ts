import {
  ApiError,
  limits,
  newId,
  roleReaches,
  type ServiceAccount,
  type ServiceAccountCreate,
  type ServiceAccountUpdate,
} from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import { changesBetween, type PageRequest, subjectOf, viewPage } from '@waymark/service-kit/store';
import { revokeKeysOf } from './api-keys.ts';
import { changeRecord, changeWorkspace, type Reference, type WorkspaceChange } from './change-workspace.ts';
import { type AccountsContext, timestamp } from './context.ts';
import { checkUnrestricted } from './key-restrictions.ts';
import type { ServiceAccountRecord } from './store/service-accounts.ts';
import { serviceAccountView } from './views.ts';

/*
 * A role of a service account is never above the caller's: both are at most admin, and only owners and admins
 * change settings.
 */
const FIELDS = ['name', 'role'] as const;

export async function listServiceAccounts(
  { store }: AccountsContext,
  ctx: RequestContext,
  page: PageRequest,
) {
  return viewPage(await store.serviceAccounts.page(ctx.access.workspaceId, page), serviceAccountView);
}

export async function getServiceAccount(
  { store }: AccountsContext,
  ctx: RequestContext,
  { id, workspaceId }: Reference,
): Promise<ServiceAccount> {
  return serviceAccountView(await authorizeRecord(ctx, await store.serviceAccounts.byId(id), workspaceId));
}

/** Throws CONFLICT for a name that is taken, LIMIT_EXCEEDED. */
export function createServiceAccount(
  service: AccountsContext,
  ctx: RequestContext,
  { name, role }: ServiceAccountCreate,
): Promise<ServiceAccount> {
  const { serviceAccounts } = service.store;
  return changeWorkspace(service, ctx, async (change) => {
    const { tx, workspace, callerId } = change;
    const max = limits.serviceAccountsPerWorkspace;
    if ((await serviceAccounts.count(workspace.id, tx.session)) >= max) {
      const message = `The workspace already has ${max} service accounts, the maximum; delete one first.`;
      throw new ApiError('LIMIT_EXCEEDED', { message });
    }
    await checkNameIsFree(service, change, name);
    const createdAt = timestamp(service);
    const account: ServiceAccountRecord = {
      id: newId(),
      workspace_id: workspace.id,
      name,
      role,
      created_by: callerId,
      created_at: createdAt,
      updated_at: createdAt,
      version: 1,
    };
    await serviceAccounts.insert(account, tx.session);
    const data = serviceAccountView(account);
    const changes = changesBetween(null, data, FIELDS);
    tx.emit('service_account.created', { subject: subjectOf('service_account', account), data, changes });
    return data;
  });
}

/** A change that changes nothing emits no event. Throws CONFLICT for a name that is taken. */
export function updateServiceAccount(
  service: AccountsContext,
  ctx: RequestContext,
  reference: Reference,
  input: ServiceAccountUpdate,
): Promise<ServiceAccount> {
  const { serviceAccounts } = service.store;
  return changeRecord(service, ctx, reference, serviceAccounts.byId, async (change, account) => {
    const { tx } = change;
    const { name = account.name, role = account.role } = input;
    if (name === account.name && role === account.role) return serviceAccountView(account);
    if (role !== account.role && roleReaches(role, account.role)) checkUnrestricted(change.key);
    if (name !== account.name) await checkNameIsFree(service, change, name);
    const version = account.version + 1;
    const updated = { ...account, name, role, version, updated_at: timestamp(service) };
    await serviceAccounts.replace(updated, tx.session);
    // The cached look-ups of its keys have its name and role.
    change.invalidateMembers();
    const data = serviceAccountView(updated);
    const changes = changesBetween(account, updated, FIELDS);
    tx.emit('service_account.updated', { subject: subjectOf('service_account', updated), data, changes });
    return data;
  });
}

/** Revokes its keys too, and those without a service account that it created. */
export function deleteServiceAccount(service: AccountsContext, ctx: RequestContext, reference: Reference) {
  const { serviceAccounts } = service.store;
  return changeRecord(service, ctx, reference, serviceAccounts.byId, async (change, account) => {
    const { tx } = change;
    await serviceAccounts.remove(account, tx.session);
    tx.emit('service_account.deleted', {
      subject: subjectOf('service_account', { ...account, version: account.version + 1 }),
      data: serviceAccountView(account),
      changes: changesBetween(account, null, FIELDS),
    });
    await revokeKeysOf(service, tx, account);
    change.invalidateMembers();
  });
}

async function checkNameIsFree(
  { store }: AccountsContext,
  { tx, workspace }: WorkspaceChange,
  name: string,
): Promise<void> {
  if (!(await store.serviceAccounts.byName(workspace.id, name, tx.session))) return;
  throw new ApiError('CONFLICT', {
    message: `The workspace already has a service account with the name ${name}.`,
  });
}

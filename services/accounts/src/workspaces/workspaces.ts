import {
  ApiError,
  newId,
  type OwnWorkspace,
  type Plan,
  type Workspace,
  type WorkspaceUpdate,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween, type Transaction } from '@waymark/service-kit/store';
import { endSettingsOf } from '../api-keys.ts';
import { changeWorkspace } from '../change-workspace.ts';
import { type AccountsContext, timestamp } from '../context.ts';
import type { UserRecord } from '../store/users.ts';
import type { WorkspaceRecord } from '../store/workspaces.ts';
import { userTag } from '../tags.ts';
import { actorOfUser, changeOwnAccount } from '../users.ts';
import { workspaceView } from '../views.ts';

const subjectOf = ({ id, revision }: WorkspaceRecord) => ({
  type: 'workspace' as const,
  id,
  version: revision,
});

/** The workspaces of a user with the user's membership in each, oldest first. */
export async function listWorkspaces({ store }: AccountsContext, userId: string): Promise<OwnWorkspace[]> {
  const members = new Map((await store.members.ofUser(userId)).map((one) => [one.workspace_id, one]));
  const workspaces = await store.workspaces.byIds([...members.keys()]);
  return workspaces.map((workspace) => {
    const { id: member_id, role } = members.get(workspace.id)!;
    return { ...workspaceView(workspace, role), member_id };
  });
}

export function createWorkspace(service: AccountsContext, ctx: RequestContext, input: { name: string }) {
  return changeOwnAccount(service, ctx, async (tx, user) => {
    await checkOwnedWorkspaces(service, tx, user);
    return insertWorkspace(service, tx, user, input.name);
  });
}

/** Adds a workspace with the user as its owner, in a transaction that has incremented the user's revision. */
export async function insertWorkspace(
  service: AccountsContext,
  tx: Transaction,
  owner: UserRecord,
  name: string,
): Promise<Workspace> {
  const { config, store } = service;
  const createdAt = timestamp(service);
  const times = { created_at: createdAt, updated_at: createdAt };
  const settings = {
    name,
    plan: config.defaultPlan,
    require_second_factor: false,
    quality_model: 'dq-1' as const,
    hidden_forecasts: false,
  };
  const workspace: WorkspaceRecord = { id: newId(), ...settings, revision: 1, ...times };
  await store.workspaces.insert(workspace, tx.session);
  const member = { id: newId(), workspace_id: workspace.id, user_id: owner.id, version: 1, ...times };
  await store.members.insert({ ...member, role: 'owner' }, tx.session);
  tx.invalidate({ [userTag(owner.id)]: owner.revision });
  const view = workspaceView(workspace, 'owner');
  tx.emit('workspace.created', {
    workspaceId: workspace.id,
    // A sign-up has another action, but the entry of its workspace belongs in the workspace's audit chain.
    action: 'workspace.create',
    actor: actorOfUser(owner),
    subject: subjectOf(workspace),
    data: view,
    changes: changesBetween(null, workspace, ['name', 'plan']),
  });
  return view;
}

/** Throws LIMIT_EXCEEDED. The check holds until the commit if the transaction has updated the user. */
export async function checkOwnedWorkspaces(
  { config, store }: AccountsContext,
  tx: Transaction,
  { id, email }: UserRecord,
): Promise<void> {
  if ((await store.members.countOwned(id, tx.session)) < config.workspacesPerUser) return;
  const message = `${email} already owns ${config.workspacesPerUser} workspaces, the maximum for one user.`;
  throw new ApiError('LIMIT_EXCEEDED', { message });
}

export async function getWorkspace({ store }: AccountsContext, ctx: RequestContext): Promise<Workspace> {
  const { workspaceId, role } = ctx.access;
  const workspace = await store.workspaces.byId(workspaceId);
  if (!workspace) throw new ApiError('NOT_FOUND');
  return workspaceView(workspace, role!);
}

/** The settings that principals carry. */
const IN_PRINCIPALS = ['require_second_factor', 'quality_model', 'hidden_forecasts'] as const;

/** The same values change nothing. Throws FORBIDDEN as `checkMayRequire`. */
export function updateWorkspace(
  service: AccountsContext,
  ctx: RequestContext,
  { name, require_second_factor, quality_model, hidden_forecasts }: WorkspaceUpdate,
): Promise<Workspace> {
  return changeWorkspace(service, ctx, async ({ tx, workspace, role, invalidateMembers }) => {
    const set = {
      name: name ?? workspace.name,
      require_second_factor: require_second_factor ?? workspace.require_second_factor,
      quality_model: quality_model ?? workspace.quality_model,
      hidden_forecasts: hidden_forecasts ?? workspace.hidden_forecasts,
    };
    const updated = { ...workspace, ...set, updated_at: timestamp(service) };
    const changes = changesBetween(workspace, updated, [...IN_PRINCIPALS, 'name']);
    if (Object.keys(changes).length === 0) return workspaceView(workspace, role);
    if ('require_second_factor' in changes) {
      await checkMayRequire(service, ctx, tx);
      // A session without a second factor may have given keys the right to change settings.
      if (set.require_second_factor) await endSettingsOf(service, tx, { workspace_id: workspace.id });
    }
    if (IN_PRINCIPALS.some((field) => field in changes)) invalidateMembers();
    const { updated_at } = updated;
    await service.store.workspaces.update(workspace.id, { ...set, updated_at }, tx.session);
    const data = workspaceView(updated, role);
    tx.emit('workspace.updated', { subject: subjectOf(updated), data, changes });
    return data;
  });
}

/** Only who has a second factor may require one, so that nobody locks out everybody. Throws FORBIDDEN. */
async function checkMayRequire({ store }: AccountsContext, { principal }: RequestContext, tx: Transaction) {
  const session =
    principal.type === 'session' ? await store.sessions.byId(principal.session_id, tx.session) : null;
  if (session && session.second_factor !== null) return;
  const message =
    'Only a person may change this who has signed in with a second factor: a passkey, or the password with a code.';
  throw new ApiError('FORBIDDEN', { reason: 'second_factor', message });
}

/** Ends all access at once; the deletion queue then removes the workspace's data from every service. */
export function deleteWorkspace(service: AccountsContext, ctx: RequestContext): Promise<void> {
  return changeWorkspace(service, ctx, async ({ tx, workspace, invalidateMembers }) => {
    await service.store.deletions.begin(workspace.id, timestamp(service), tx.session);
    invalidateMembers();
    const event = { subject: subjectOf(workspace), data: { id: workspace.id } };
    // The audit entry is in the user's chain: the workspace's own chain is removed.
    const changes = changesBetween(workspace, null, ['name', 'plan']);
    tx.emit('workspace.deleted', { ...event, workspaceId: null, changes });
    tx.emit('workspace.deleted', event);
  });
}

/** Throws FORBIDDEN where only the operator may change plans. */
export function changePlan(service: AccountsContext, ctx: RequestContext, plan: Plan): Promise<Workspace> {
  if (service.config.planChanges === 'operator') {
    const message = 'Plans are set by the operator of this installation; ask them to change it.';
    throw new ApiError('FORBIDDEN', { reason: 'operator', message });
  }
  return changeWorkspace(service, ctx, async ({ tx, workspace, role, invalidateMembers }) => {
    const updated = await setPlan(service, tx, workspace, plan);
    if (updated !== workspace) invalidateMembers();
    return workspaceView(updated, role);
  });
}

/** Sets the plan in a transaction. Returns `workspace` itself, without an event, if nothing changes. */
export async function setPlan(
  service: AccountsContext,
  tx: Transaction,
  workspace: WorkspaceRecord,
  plan: Plan,
): Promise<WorkspaceRecord> {
  if (plan === workspace.plan) return workspace;
  const updated = { ...workspace, plan, updated_at: timestamp(service) };
  await service.store.workspaces.update(updated.id, { plan, updated_at: updated.updated_at }, tx.session);
  tx.emit('billing.plan_changed', {
    workspaceId: updated.id,
    subject: subjectOf(updated),
    data: { workspace_id: updated.id, plan, previous_plan: workspace.plan },
    changes: changesBetween(workspace, updated, ['plan']),
  });
  return updated;
}

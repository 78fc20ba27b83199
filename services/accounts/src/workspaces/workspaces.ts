import { ApiError, newId, type OwnWorkspace, type Plan, type Workspace } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { type Commit, changesBetween, type Transaction } from '@waymark/service-kit/store';
import type { AccountsConfig } from '../config.ts';
import { actorOfUser } from '../events.ts';
import type { Store } from '../store/index.ts';
import type { UserRecord } from '../store/users.ts';
import type { WorkspaceRecord } from '../store/workspaces.ts';
import { workspaceView } from '../views.ts';
import { type ChangeWorkspace, signedIn } from './change-workspace.ts';
import { ownedCap } from './owned-cap.ts';

export type Workspaces = ReturnType<typeof createWorkspaces>;

export function createWorkspaces(options: {
  store: Store;
  commit: Commit;
  changeWorkspace: ChangeWorkspace;
  config: AccountsConfig;
  now: () => number;
  /** Called when a deletion has been noted. */
  onDeleted: () => void;
}) {
  const { store, commit, changeWorkspace, config, now } = options;
  const checkOwnedCap = ownedCap({ store, config });
  const subject = ({ id, revision }: WorkspaceRecord) => ({ type: 'workspace', id, version: revision });

  /** Makes a workspace in a transaction under way, with the user as its owner. */
  async function establish(tx: Transaction, user: UserRecord, name: string): Promise<Workspace> {
    const createdAt = new Date(now()).toISOString();
    const times = { created_at: createdAt, updated_at: createdAt };
    const workspace: WorkspaceRecord = { id: newId(), name, plan: config.defaultPlan, revision: 1, ...times };
    await store.workspaces.insert(workspace, tx.session);
    await store.members.insert(
      { id: newId(), workspace_id: workspace.id, user_id: user.id, role: 'owner', version: 1, ...times },
      tx.session,
    );
    const view = workspaceView(workspace, 'owner');
    tx.emit('workspace.created', {
      workspaceId: workspace.id,
      // Sign-up makes one too: the entry stands in the workspace's own chain, beside the user's.
      action: 'workspace.create',
      actor: actorOfUser(user),
      subject: subject(workspace),
      data: view,
      changes: changesBetween(null, workspace, ['name', 'plan']),
    });
    return view;
  }

  /** Gives the workspace itself when it has the plan already. */
  async function setPlan(tx: Transaction, workspace: WorkspaceRecord, plan: Plan): Promise<WorkspaceRecord> {
    if (plan === workspace.plan) return workspace;
    const updated = { ...workspace, plan, updated_at: new Date(now()).toISOString() };
    await store.workspaces.update(updated.id, { plan, updated_at: updated.updated_at }, tx.session);
    tx.emit('billing.plan_changed', {
      workspaceId: updated.id,
      subject: subject(updated),
      data: { workspace_id: updated.id, plan, previous_plan: workspace.plan },
      changes: changesBetween(workspace, updated, ['plan']),
    });
    return updated;
  }

  async function ownOf(userId: string): Promise<OwnWorkspace[]> {
    const members = new Map((await store.members.ofUser(userId)).map((one) => [one.workspace_id, one]));
    const workspaces = await store.workspaces.byIds([...members.keys()]);
    return workspaces.map((workspace) => {
      const { id: member_id, role } = members.get(workspace.id)!;
      return { ...workspaceView(workspace, role), member_id };
    });
  }

  async function listOf(userId: string): Promise<Workspace[]> {
    return (await ownOf(userId)).map(({ member_id: _, ...workspace }) => workspace);
  }

  return {
    establish,
    setPlan,
    /** The workspaces of a user, oldest first. */
    listOf,
    /** The same, each with the membership in it. */
    ownOf,

    /** Throws LIMIT_EXCEEDED when the caller owns as many as one may. */
    create(ctx: RequestContext, name: string): Promise<Workspace> {
      return commit(ctx, async (tx) => {
        const user = await store.users.raise(signedIn(ctx).user_id, tx.session);
        if (!user) throw new ApiError('UNAUTHORIZED');
        await checkOwnedCap(user, tx);
        return establish(tx, user, name);
      });
    },

    async get(ctx: RequestContext): Promise<Workspace> {
      const { workspaceId, role } = ctx.access;
      const workspace = await store.workspaces.byId(workspaceId);
      if (!workspace) throw new ApiError('NOT_FOUND');
      return workspaceView(workspace, role!);
    },

    /** Renames; the same name again changes nothing and leaves no event. */
    update(ctx: RequestContext, input: { name?: string | undefined }): Promise<Workspace> {
      return changeWorkspace(ctx, async ({ tx, workspace, role }) => {
        const { name } = input;
        if (name === undefined || name === workspace.name) return workspaceView(workspace, role);
        const updated = { ...workspace, name, updated_at: new Date(now()).toISOString() };
        await store.workspaces.update(updated.id, { name, updated_at: updated.updated_at }, tx.session);
        const data = workspaceView(updated, role);
        const changes = changesBetween(workspace, updated, ['name']);
        tx.emit('workspace.updated', { subject: subject(updated), data, changes });
        return data;
      });
    },

    /** Ends all access at once; what the services have of the workspace goes behind this answer. */
    async remove(ctx: RequestContext): Promise<void> {
      await changeWorkspace(ctx, async ({ tx, workspace, invalidateMembers }) => {
        const at = new Date(now()).toISOString();
        const deletion = { deleted_at: at, due_at: at, leased_until: '', is_purged: false };
        await store.deletions.begin({ _id: workspace.id, ...deletion }, tx.session);
        invalidateMembers();
        const event = { subject: subject(workspace), data: { id: workspace.id } };
        // The entry outlives the workspace's own chain: it stands in that of the user.
        const changes = changesBetween(workspace, null, ['name', 'plan']);
        tx.emit('workspace.deleted', { ...event, workspaceId: null, changes });
        tx.emit('workspace.deleted', event);
      });
      options.onDeleted();
    },

    /** The plan of now again changes nothing and leaves no event. */
    changePlan(ctx: RequestContext, plan: Plan): Promise<Workspace> {
      if (config.planChanges === 'operator') {
        throw new ApiError('FORBIDDEN', {
          message: 'Plans are set by the operator of this installation; ask them to change it.',
        });
      }
      return changeWorkspace(ctx, async ({ tx, workspace, role, invalidateMembers }) => {
        const updated = await setPlan(tx, workspace, plan);
        if (updated !== workspace) invalidateMembers();
        return workspaceView(updated, role);
      });
    },
  };
}

import { ApiError, type Role, type SessionPrincipal } from '@waymark/contracts';
import { authorizeIn, type RequestContext } from '@waymark/service-kit/http';
import type { Commit, Transaction } from '@waymark/service-kit/store';
import type { Store } from '../store/index.ts';
import type { WorkspaceRecord } from '../store/workspaces.ts';
import { workspaceTag } from '../tags.ts';

/** A change of a workspace, its members or its keys, in its queueKey: no other is under way. */
export interface WorkspaceChange {
  tx: Transaction;
  /** With its revision raised already. */
  workspace: WorkspaceRecord;
  userId: string;
  /** The caller's role in this very transaction. */
  role: Role;
  /** Makes every cache drop what it knows about this workspace's plan and members. */
  invalidateMembers: () => void;
}

export type ChangeWorkspace = <T>(
  ctx: RequestContext,
  work: (change: WorkspaceChange) => Promise<T>,
  options?: { redact?: (result: T) => T },
) => Promise<T>;

/**
 * Changes of one workspace take turns over its document, so that what one of them checks (last owner, caps, the
 * caller's own role) still holds when it commits. Throws FORBIDDEN when the caller has lost the role meanwhile.
 */
export function workspaceChanges({ store, commit }: { store: Store; commit: Commit }): ChangeWorkspace {
  return (ctx, work, options) => {
    const principal = signedIn(ctx);
    return commit(
      ctx,
      async (tx) => {
        const workspace = await store.workspaces.raise(ctx.access.workspaceId, tx.session);
        if (!workspace) throw new ApiError('NOT_FOUND');
        const standing = async (userId: string, workspaceId: string) =>
          (await store.members.standing(userId, workspaceId, tx.session)).membership;
        const unproven = { ...principal, membership: null };
        const { role } = await authorizeIn(ctx.operation, unproven, workspace.id, standing);
        return work({
          tx,
          workspace,
          userId: principal.user_id,
          role: role!,
          invalidateMembers: () => tx.invalidate({ [workspaceTag(workspace.id)]: workspace.revision }),
        });
      },
      { ...options, queueKey: ctx.access.workspaceId },
    );
  };
}

/** The caller of an operation that only sessions may call. */
export function signedIn(ctx: RequestContext): SessionPrincipal {
  if (ctx.principal.type !== 'session') throw new ApiError('UNAUTHORIZED');
  return ctx.principal;
}

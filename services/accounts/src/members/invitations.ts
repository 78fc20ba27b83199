import { randomBytes } from 'node:crypto';
import {
  ApiError,
  type CursorCodec,
  hashSecret,
  type Invitation,
  type InvitationCreate,
  limits,
  newId,
  roleReaches,
  type Workspace,
} from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import { type Commit, changesBetween, type PageRequest, type Transaction } from '@waymark/service-kit/store';
import type { AccountsConfig } from '../config.ts';
import { actorOfUser } from '../events.ts';
import type { Store } from '../store/index.ts';
import type { InvitationRecord } from '../store/invitations.ts';
import type { UserRecord } from '../store/users.ts';
import type { WorkspaceRecord } from '../store/workspaces.ts';
import { invitationView, workspaceView } from '../views.ts';
import { type ChangeWorkspace, signedIn } from '../workspaces/change-workspace.ts';
import { checkOwnersTouch, type Members } from './members.ts';

/** An invitation with its link, which only the first answer to its creation has. */
export type NewInvitation = Invitation & { url?: string };

const TOKEN_BYTES = 32;
/** An invitation that is over is kept for a day, so that a repeated call finds it. */
const REMOVE_AFTER_MS = 86_400_000;

export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations(options: {
  store: Store;
  commit: Commit;
  changeWorkspace: ChangeWorkspace;
  members: Members;
  cursors: CursorCodec;
  config: AccountsConfig;
  now: () => number;
}) {
  const { store, commit, changeWorkspace, members, cursors, config, now } = options;
  const iso = (timeMs = now()) => new Date(timeMs).toISOString();
  const subject = ({ id, version }: InvitationRecord) => ({ type: 'invitation', id, version });
  // Unknown, taken back, used and expired look the same from outside.
  const gone = () =>
    new ApiError('NOT_FOUND', {
      message: 'This invitation is not valid any more; ask for a new one.',
    });

  /** Who stands behind an invitation; null when nobody does: one cannot pass on a role that one has lost. */
  async function inviterOf(
    { workspace_id, invited_by, role }: InvitationRecord,
    session?: Transaction['session'],
  ): Promise<UserRecord | null> {
    const { membership } = await store.members.standing(invited_by, workspace_id, session);
    if (!membership || !roleReaches(membership.role, 'admin')) return null;
    if (!roleReaches(membership.role, role)) return null;
    return store.users.byId(invited_by, session);
  }

  async function standing(tokenHash: string, session?: Transaction['session']) {
    const invitation = await store.invitations.openByTokenHash(tokenHash, iso(), session);
    const inviter = invitation && (await inviterOf(invitation, session));
    if (!inviter) throw gone();
    return { invitation, inviter };
  }

  /**
   * Makes the user a member, in a transaction under way. Throws NOT_FOUND, FORBIDDEN for an invitation of another email,
   * CONFLICT for a member, LIMIT_EXCEEDED.
   */
  async function redeem(tx: Transaction, user: UserRecord, token: string): Promise<Workspace> {
    return redeemHash(tx, user, hashSecret(token));
  }

  async function redeemHash(tx: Transaction, user: UserRecord, tokenHash: string): Promise<Workspace> {
    const found = await store.invitations.openByTokenHash(tokenHash, iso(), tx.session);
    // The workspace's turn comes before what is checked.
    const workspace: WorkspaceRecord | null =
      found && (await store.workspaces.raise(found.workspace_id, tx.session));
    if (!workspace) throw gone();
    const { invitation } = await standing(tokenHash, tx.session);
    checkEmail(invitation, user.email);
    await members.insert(tx, {
      workspace,
      user,
      role: invitation.role,
      // Who signs up is nobody yet: the actor is the user that they become.
      event: { action: 'invitation.accept', actor: actorOfUser(user), invitationId: invitation.id },
    });
    await store.invitations.close(invitation.id, iso(), tx.session);
    return workspaceView(workspace, invitation.role);
  }

  return {
    redeem,

    /** Throws what redeeming throws for an invitation that is worth nothing or is for another email. */
    async check(token: string, email: string): Promise<void> {
      checkEmail((await standing(hashSecret(token))).invitation, email);
    },

    /**
     * Redeems the newest invitation of an email that is known to be the user's; null when there is none. Anyone may have made
     * them: one that is worth nothing, or whose workspace is full, stands in no other's way.
     */
    async redeemByEmail(tx: Transaction, user: UserRecord): Promise<Workspace | null> {
      for (const invitation of await store.invitations.openByEmail(user.email, iso(), tx.session)) {
        if (!(await inviterOf(invitation, tx.session))) continue;
        if (await members.isFull(invitation.workspace_id, tx)) continue;
        return redeemHash(tx, user, invitation.token_hash);
      }
      return null;
    },

    async list(ctx: RequestContext, page: PageRequest) {
      const { workspaceId } = ctx.access;
      const { items, next_cursor } = await store.invitations.openPage(workspaceId, iso(), { page, cursors });
      return { data: items.map(invitationView), next_cursor };
    },

    /** Throws FORBIDDEN for a role above the caller's, LIMIT_EXCEEDED. */
    create(ctx: RequestContext, input: InvitationCreate): Promise<NewInvitation> {
      return changeWorkspace(
        ctx,
        async (change) => {
          const { tx, workspace } = change;
          checkOwnersTouch(change, input.role);
          const max = limits.invitationsPerWorkspace;
          if ((await store.invitations.countOpen(workspace.id, iso(), tx.session)) >= max) {
            throw new ApiError('LIMIT_EXCEEDED', {
              message: `The workspace has ${max} open invitations, as many as it may; take one back.`,
            });
          }
          const token = `wmi_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
          const expiresAtMs = now() + limits.invitationSeconds * 1_000;
          const invitation: InvitationRecord = {
            id: newId(),
            workspace_id: workspace.id,
            email: input.email,
            role: input.role,
            token_hash: hashSecret(token),
            invited_by: change.userId,
            created_at: iso(),
            expires_at: iso(expiresAtMs),
            closed_at: null,
            version: 1,
            remove_at: new Date(expiresAtMs + REMOVE_AFTER_MS),
          };
          await store.invitations.insert(invitation, tx.session);
          const data = invitationView(invitation);
          const changes = changesBetween(null, data, ['email', 'role', 'expires_at']);
          tx.emit('invitation.created', { subject: subject(invitation), data, changes });
          // Behind "#": browsers send it to no server, so that no log has it.
          return { ...data, url: `${config.publicUrl.replace(/\/$/, '')}/join#${token}` };
        },
        { redact: invitationView },
      );
    },

    /** One that is accepted or taken back already stays as it is. */
    async revoke(ctx: RequestContext, id: string, named: string | undefined): Promise<void> {
      await authorizeRecord(ctx, await store.invitations.byId(id), named);
      return changeWorkspace(ctx, async ({ tx }) => {
        const invitation = await store.invitations.byId(id, tx.session);
        if (!invitation) throw new ApiError('NOT_FOUND');
        if (invitation.closed_at !== null) return;
        await store.invitations.close(id, iso(), tx.session);
        const revoked = { ...invitation, version: invitation.version + 1 };
        tx.emit('invitation.revoked', {
          subject: subject(revoked),
          data: invitationView(revoked),
          changes: changesBetween(invitation, null, ['email', 'role']),
        });
      });
    },

    async preview(token: string) {
      const { invitation, inviter } = await standing(hashSecret(token));
      const workspace = await store.workspaces.byId(invitation.workspace_id);
      if (!workspace) throw gone();
      const { email, role, expires_at } = invitation;
      return { workspace_name: workspace.name, invited_by: inviter.name, email, role, expires_at };
    },

    accept(ctx: RequestContext, token: string): Promise<Workspace> {
      return commit(ctx, async (tx) => {
        const user = await store.users.raise(signedIn(ctx).user_id, tx.session);
        if (!user) throw new ApiError('UNAUTHORIZED');
        return redeem(tx, user, token);
      });
    },
  };
}

function checkEmail(invitation: InvitationRecord, email: string): void {
  if (invitation.email === null || invitation.email === email) return;
  throw new ApiError('FORBIDDEN', {
    message: 'This invitation is for another email; sign in or up with that one.',
  });
}

import { ApiError, roleReaches, type Workspace } from '@waymark/contracts';
import type { DatabaseSession, Transaction } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from '../context.ts';
import { insertMember } from '../members.ts';
import type { InvitationRecord } from '../store/invitations.ts';
import type { UserRecord } from '../store/users.ts';
import { actorOfUser } from '../users.ts';
import { workspaceView } from '../views.ts';

/** Behind "#", because browsers do not send that part to servers: no log contains the token. */
export const invitationLink = ({ publicUrl }: { publicUrl: string }, token: string) =>
  `${publicUrl}/join#${token}`;

/** Finds an invitation that can be accepted, and who sent it. Throws NOT_FOUND. */
export async function findInvitation(service: AccountsContext, tokenHash: string, session?: DatabaseSession) {
  const found = await service.store.invitations.openByTokenHash(tokenHash, timestamp(service), session);
  const inviter = found && (await inviterOf(service, found, session));
  if (!inviter) throw invalidInvitation();
  return { invitation: found, inviter };
}

export function checkEmail(invitation: InvitationRecord, email: string): void {
  if (invitation.email === null || invitation.email === email) return;
  const message = 'This invitation is for another email; sign in or up with that one.';
  throw new ApiError('FORBIDDEN', { reason: 'other_email', message });
}

/** Makes the user a member. Throws NOT_FOUND, FORBIDDEN for another email, CONFLICT, LIMIT_EXCEEDED. */
export async function redeemInvitation(
  service: AccountsContext,
  tx: Transaction,
  user: UserRecord,
  tokenHash: string,
): Promise<Workspace> {
  const { invitations, workspaces } = service.store;
  const found = await invitations.openByTokenHash(tokenHash, timestamp(service), tx.session);
  // Incremented before the checks, so that no concurrent change of the workspace can invalidate them.
  const workspace = found && (await workspaces.incrementRevision(found.workspace_id, tx.session));
  if (!workspace) throw invalidInvitation();
  const { invitation } = await findInvitation(service, tokenHash, tx.session);
  checkEmail(invitation, user.email);
  // A sign-up is an anonymous request: its actor is the new user.
  const by = { invitationId: invitation.id, actor: actorOfUser(user) };
  await insertMember(service, tx, { workspace, user, role: invitation.role }, by);
  await invitations.close(invitation.id, timestamp(service), tx.session);
  return workspaceView(workspace, invitation.role);
}

/** Redeems the newest valid invitation of the verified email. Anyone can invite it, so others are skipped. */
export async function redeemInvitationByEmail(service: AccountsContext, tx: Transaction, user: UserRecord) {
  const { config, store } = service;
  for (const invitation of await store.invitations.openByEmail(user.email, timestamp(service), tx.session)) {
    if (!(await inviterOf(service, invitation, tx.session))) continue;
    const memberCount = await store.members.count(invitation.workspace_id, tx.session);
    if (memberCount >= config.membersPerWorkspace) continue;
    return redeemInvitation(service, tx, user, invitation.token_hash);
  }
  return null;
}

/** Unknown, revoked, used and expired invitations look the same to the holder of a token. */
export const invalidInvitation = () =>
  new ApiError('NOT_FOUND', { message: 'This invitation is no longer valid; ask for a new one.' });

/** Who sent an invitation; null when they have lost a role that may invite, or the role that they pass on. */
async function inviterOf(
  { store }: AccountsContext,
  { workspace_id, invited_by, role }: InvitationRecord,
  session?: DatabaseSession,
): Promise<{ name: string } | null> {
  const { membership } = await store.members.lookUp(invited_by, workspace_id, session);
  const mayInvite = membership && roleReaches(membership.role, 'admin') && roleReaches(membership.role, role);
  if (!mayInvite) return null;
  return (await store.users.byId(invited_by, session)) ?? store.serviceAccounts.byId(invited_by, session);
}

import {
  ApiError,
  hashSecret,
  type Invitation,
  type InvitationCreate,
  limits,
  newId,
  type Role,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween, type PageRequest, subjectOf, viewPage } from '@waymark/service-kit/store';
import { changeRecord, changeWorkspace, type Reference, type WorkspaceChange } from '../change-workspace.ts';
import { type AccountsContext, timestamp } from '../context.ts';
import { checkUnrestricted } from '../key-restrictions.ts';
import { checkOwnerRole } from '../members.ts';
import type { InvitationRecord } from '../store/invitations.ts';
import { changeOwnAccount } from '../users.ts';
import { invitationView } from '../views.ts';
import { findInvitation, invalidInvitation, invitationLink, redeemInvitation } from './redeem-invitation.ts';

/** An invitation; the first response to its creation also has its link. */
type InvitationWithLink = Invitation & { url?: string };

/** A closed invitation is kept for a day, so that a repeated call still finds it. */
const REMOVE_AFTER_MS = 86_400_000;

/** A link without an address may be forwarded, so it makes nobody an admin or owner. */
const ROLES_FOR_ANYONE: Role[] = ['viewer', 'member'];

export async function listInvitations(service: AccountsContext, ctx: RequestContext, page: PageRequest) {
  const { invitations } = service.store;
  const open = await invitations.openPage(ctx.access.workspaceId, timestamp(service), page);
  return viewPage(open, invitationView);
}

/**
 * Throws FORBIDDEN for a role above the caller's, VALIDATION_ERROR for one that anyone with the link may not
 * have, CONFLICT for the address of a member, LIMIT_EXCEEDED.
 */
export async function createInvitation(
  service: AccountsContext,
  ctx: RequestContext,
  input: InvitationCreate,
) {
  const { config, invitationTokens, mailLimits, now, store } = service;
  const { email } = input;
  const isMailed = config.mail !== null && email !== null && (await mailLimits.mayMailInvitation(ctx, email));
  const create = async (change: WorkspaceChange): Promise<InvitationWithLink> => {
    const { tx, workspace } = change;
    checkOwnerRole(change, input.role);
    checkUnrestricted(change.key);
    if (email === null && !ROLES_FOR_ANYONE.includes(input.role)) throw roleForAnyone();
    if (email !== null) await checkIsNoMember(service, change, email);
    const max = limits.invitationsPerWorkspace;
    if ((await store.invitations.countOpen(workspace.id, timestamp(service), tx.session)) >= max) {
      const message = `The workspace already has ${max} open invitations, the maximum; revoke one first.`;
      throw new ApiError('LIMIT_EXCEEDED', { message });
    }
    const id = newId();
    const token = invitationTokens.create(id);
    const expiresAtMs = now() + limits.invitationSeconds * 1_000;
    const invitation: InvitationRecord = {
      id,
      workspace_id: workspace.id,
      email,
      role: input.role,
      token_hash: hashSecret(token),
      invited_by: change.callerId,
      created_at: timestamp(service),
      expires_at: timestamp(service, expiresAtMs),
      mail: isMailed ? 'waiting' : null,
      closed_at: null,
      version: 1,
      remove_at: new Date(expiresAtMs + REMOVE_AFTER_MS),
    };
    await store.invitations.insert(invitation, tx.session);
    if (isMailed) {
      const topic = { kind: 'invitation', invitation_id: id, workspace_id: workspace.id } as const;
      await store.mails.insert(topic, email, now(), tx.session);
    }
    const data = invitationView(invitation);
    const changes = changesBetween(null, data, ['email', 'role', 'expires_at']);
    tx.emit('invitation.created', { subject: subjectOf('invitation', invitation), data, changes });
    return { ...data, url: invitationLink(config, token) };
  };
  return changeWorkspace(service, ctx, create, { redact: invitationView });
}

function roleForAnyone(): ApiError {
  const message = 'must be viewer or member in an invitation without an e-mail address';
  return new ApiError('VALIDATION_ERROR', {
    message: `role ${message}.`,
    issues: [{ path: 'role', message }],
  });
}

/** Throws CONFLICT for the address of a member. Reads as much for one without an account as for any other. */
async function checkIsNoMember(
  { store }: AccountsContext,
  { tx, workspace }: WorkspaceChange,
  email: string,
): Promise<void> {
  const user = await store.users.byEmail(email, tx.session);
  const { membership } = await store.members.lookUp(user?.id ?? newId(), workspace.id, tx.session);
  if (!membership) return;
  throw new ApiError('CONFLICT', { message: `${email} is already a member of the workspace.` });
}

export function revokeInvitation(service: AccountsContext, ctx: RequestContext, reference: Reference) {
  const { byId, close } = service.store.invitations;
  return changeRecord(service, ctx, reference, byId, async ({ tx }, invitation) => {
    if (invitation.closed_at !== null) return;
    await close(invitation.id, timestamp(service), tx.session);
    const revoked = { ...invitation, version: invitation.version + 1 };
    tx.emit('invitation.revoked', {
      subject: subjectOf('invitation', revoked),
      data: invitationView(revoked),
      changes: changesBetween(invitation, null, ['email', 'role']),
    });
  });
}

export async function previewInvitation(service: AccountsContext, token: string) {
  const { invitation, inviter } = await findInvitation(service, hashSecret(token));
  const workspace = await service.store.workspaces.byId(invitation.workspace_id);
  if (!workspace) throw invalidInvitation();
  const { email, role, expires_at } = invitation;
  return { workspace_name: workspace.name, invited_by: inviter.name, email, role, expires_at };
}

export function acceptInvitation(service: AccountsContext, ctx: RequestContext, token: string) {
  return changeOwnAccount(service, ctx, (tx, user) => redeemInvitation(service, tx, user, hashSecret(token)));
}

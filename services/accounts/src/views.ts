import type { ApiKey, Invitation, Member, Role, Session, User, Workspace } from '@waymark/contracts';
import type { ApiKeyRecord } from './store/api-keys.ts';
import type { InvitationRecord } from './store/invitations.ts';
import type { MemberRecord } from './store/members.ts';
import type { SessionRecord } from './store/sessions.ts';
import type { UserRecord } from './store/users.ts';
import type { WorkspaceRecord } from './store/workspaces.ts';

/** What the API shows of a record. Each field is named, so that hashes and internal fields never appear. */
export function userView({ id, email, name, created_at }: UserRecord): User {
  return { id, email, name, created_at };
}

export function workspaceView(
  { id, name, plan, created_at, updated_at }: WorkspaceRecord,
  role: Role,
): Workspace {
  return { id, name, plan, role, created_at, updated_at };
}

export function memberView(member: MemberRecord, user: UserRecord): Member {
  const { id, workspace_id, user_id, role, created_at, updated_at } = member;
  return { id, workspace_id, user_id, email: user.email, name: user.name, role, created_at, updated_at };
}

export function sessionView(session: SessionRecord, currentId: string): Session {
  const { id, ip, user_agent, created_at, last_seen_at, expires_at } = session;
  return { id, current: id === currentId, ip, user_agent, created_at, last_seen_at, expires_at };
}

export function invitationView(invitation: InvitationRecord | Invitation): Invitation {
  const { id, workspace_id, email, role, invited_by, created_at, expires_at } = invitation;
  return { id, workspace_id, email, role, invited_by, created_at, expires_at };
}

export function apiKeyView(key: ApiKeyRecord): ApiKey {
  const { id, workspace_id, name, key_prefix, scopes, allowed_ips } = key;
  const { created_by, created_at, expires_at, last_used_at, revoked_at, rotated_to } = key;
  const grants = { name, key_prefix, scopes, allowed_ips };
  const life = { created_by, created_at, expires_at, last_used_at, revoked_at, rotated_to };
  return { id, workspace_id, ...grants, ...life };
}

import {
  ApiKey,
  Grant,
  Invitation,
  Member,
  Passkey,
  type Role,
  ServiceAccount,
  Session,
  User,
  Workspace,
} from '@waymark/contracts';
import type { z } from 'zod';
import type { ApiKeyRecord } from './store/api-keys.ts';
import type { MemberRecord } from './store/members.ts';
import type { SessionRecord } from './store/sessions.ts';
import type { UserRecord } from './store/users.ts';
import type { WorkspaceRecord } from './store/workspaces.ts';

/** Copies only the fields of the API's schema, so that hashes never appear in a response. */
function pick<S extends z.ZodObject>({ shape }: S, record: z.output<S>): z.output<S> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, record[name]])) as z.output<S>;
}

export const userView = (user: UserRecord): User => pick(User, user);
export const passkeyView = (passkey: Passkey): Passkey => pick(Passkey, passkey);
export const invitationView = (invitation: Invitation): Invitation => pick(Invitation, invitation);

export const apiKeyView = (key: ApiKey): ApiKey => pick(ApiKey, key);
export const grantView = (key: ApiKeyRecord): Grant =>
  pick(Grant, { ...key, client_id: key.grant?.client_id ?? '' });
export const serviceAccountView = (account: ServiceAccount): ServiceAccount => pick(ServiceAccount, account);
export const workspaceView = (workspace: WorkspaceRecord, role: Role) =>
  pick(Workspace, { ...workspace, role });
export const memberView = (member: MemberRecord, { email, name, mail_refused_at }: UserRecord) =>
  pick(Member, { ...member, email, name, mail_refused_at });
export const sessionView = (session: SessionRecord, currentId: string) =>
  pick(Session, { ...session, current: session.id === currentId });

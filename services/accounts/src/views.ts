import {
  ApiKey,
  Grant,
  Invitation,
  ListSettings,
  Member,
  Passkey,
  type Role,
  SavedView,
  ServiceAccount,
  Session,
  User,
  Workspace,
} from '@waymark/contracts';
import { pickFields } from '@waymark/service-kit/http';
import type { ApiKeyRecord } from './store/api-keys.ts';
import type { MemberRecord } from './store/members.ts';
import type { SessionRecord } from './store/sessions.ts';
import type { UserRecord } from './store/users.ts';
import type { WorkspaceRecord } from './store/workspaces.ts';

export const userView = (user: UserRecord): User => pickFields(User, user);
export const passkeyView = (passkey: Passkey): Passkey => pickFields(Passkey, passkey);
export const invitationView = (invitation: Invitation): Invitation => pickFields(Invitation, invitation);

export const apiKeyView = (key: ApiKey): ApiKey => pickFields(ApiKey, key);
export const grantView = (key: ApiKeyRecord): Grant =>
  pickFields(Grant, { ...key, client_id: key.grant?.client_id ?? '' });
export const serviceAccountView = (account: ServiceAccount): ServiceAccount =>
  pickFields(ServiceAccount, account);
export const savedViewView = (view: SavedView): SavedView => pickFields(SavedView, view);
export const listSettingsView = (settings: ListSettings): ListSettings => pickFields(ListSettings, settings);
export const workspaceView = (workspace: WorkspaceRecord, role: Role) =>
  pickFields(Workspace, { ...workspace, role });
export const memberView = (member: MemberRecord, { email, name, mail_refused_at }: UserRecord) =>
  pickFields(Member, { ...member, email, name, mail_refused_at });
export const sessionView = (session: SessionRecord, currentId: string) =>
  pickFields(Session, { ...session, current: session.id === currentId });

import { z } from 'zod';
import { roles, scopes } from '../identity/principal.ts';
import { limits, plans } from '../limits.ts';
import { body, name, text, time, uuid } from '../schema/types.ts';
import { invitationToken } from './invitation.ts';

const email = () => z.email().max(254).toLowerCase();
const password = () => text(limits.passwordCharactersMax, limits.passwordCharactersMin);

export const SignUp = body({
  email: email(),
  password: password(),
  name: name(),
  invitation: invitationToken()
    .optional()
    .describe('The token of an invitation: joins that workspace in place of a first one of one’s own'),
}).meta({ id: 'SignUp' });
export const SignIn = body({ email: email(), password: text(limits.passwordCharactersMax, 1) }).meta({
  id: 'SignIn',
});
export const PasswordChange = body({
  currentPassword: text(limits.passwordCharactersMax, 1)
    .optional()
    .describe('May be absent when there is none yet, within ten minutes of single sign-on'),
  newPassword: password(),
}).meta({ id: 'PasswordChange' });

export const User = z
  .object({ id: uuid(), email: z.string(), name: z.string(), created_at: time() })
  .meta({ id: 'User' });
export type User = z.output<typeof User>;

export const Workspace = z
  .object({
    id: uuid(),
    name: z.string(),
    plan: z.enum(plans),
    role: z.enum(roles).describe('The caller’s role'),
    created_at: time(),
    updated_at: time(),
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.output<typeof Workspace>;

export const OwnWorkspace = Workspace.extend({
  member_id: uuid().describe('The caller’s membership: who ends it leaves'),
}).meta({ id: 'OwnWorkspace' });
export type OwnWorkspace = z.output<typeof OwnWorkspace>;

export const SignedIn = z
  .object({
    user: User,
    has_password: z.boolean().describe('False for who came by single sign-on and has set none yet'),
    workspaces: z.array(Workspace),
  })
  .meta({ id: 'SignedIn', description: 'The session itself travels in the cookie' });

export const SignInMethods = z
  .object({
    sign_up: z.enum(['open', 'invite', 'closed']),
    password: z.boolean(),
    oidc: z.object({ name: z.string() }).nullable().describe('Single sign-on: begins at /auth/oidc/start'),
  })
  .meta({ id: 'SignInMethods' });

/** Why single sign-on did not work, as the sign-in page gets it in its address. */
export const ssoErrors = [
  'expired',
  'refused',
  'email',
  'domain',
  'closed',
  'password',
  'unavailable',
] as const;
export type SsoError = (typeof ssoErrors)[number];

export const Session = z
  .object({
    id: uuid(),
    current: z.boolean(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: time(),
    last_seen_at: time(),
    expires_at: time(),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof Session>;

export const WorkspaceCreate = body({ name: name() }).meta({ id: 'WorkspaceCreate' });
export const WorkspaceUpdate = body({ name: name().optional() }).meta({ id: 'WorkspaceUpdate' });
export const PlanChange = body({ plan: z.enum(plans) }).meta({ id: 'PlanChange' });

export const Member = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    user_id: uuid(),
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    created_at: time(),
    updated_at: time(),
  })
  .meta({ id: 'Member' });
export type Member = z.output<typeof Member>;

const workspace = { workspaceId: uuid().optional().describe('Here or in the query') };

export const MemberCreate = body({
  ...workspace,
  email: email(),
  role: z.enum(roles).default('member'),
}).meta({
  id: 'MemberCreate',
});
export const MemberUpdate = body({ ...workspace, role: z.enum(roles) }).meta({ id: 'MemberUpdate' });

export const ApiKey = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    name: z.string(),
    key_prefix: z.string(),
    scopes: z.array(z.enum(scopes)),
    allowed_ips: z.array(z.string()),
    created_by: uuid(),
    created_at: time(),
    expires_at: time().nullable(),
    last_used_at: time().nullable(),
    revoked_at: time().nullable(),
    rotated_to: uuid().nullable().describe('The key that replaces this one after a rotation'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof ApiKey>;

export const ApiKeyWithSecret = ApiKey.extend({
  key: z.string().optional().describe('The plaintext, in the first answer only'),
}).meta({ id: 'ApiKeyWithSecret' });

/** A single address or a CIDR block, IPv4 or IPv6. */
const addressBlock = () =>
  z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'must be an IP address or a CIDR block' });

export const ApiKeyCreate = body({
  ...workspace,
  name: name(),
  scopes: z.array(z.enum(scopes)).min(1).max(2).default(['read']),
  expiresAt: z.iso
    .datetime({ offset: true })
    .transform((value) => new Date(value).toISOString())
    .nullable()
    .optional(),
  allowedIps: z.array(addressBlock()).max(limits.allowedIps).default([]),
}).meta({ id: 'ApiKeyCreate' });
export type ApiKeyCreate = z.output<typeof ApiKeyCreate>;

export const ApiKeyRotate = body({
  ...workspace,
  overlapSeconds: z.number().int().min(0).max(limits.keyRotationOverlapSecondsMax).default(0),
}).meta({ id: 'ApiKeyRotate', description: 'The old key stays valid for overlapSeconds' });

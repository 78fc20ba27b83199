import { z } from 'zod';
import { plans, qualityModels } from '../limits.ts';

export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];
/** The roles that a service account can have: a workspace belongs to people. */
export const serviceAccountRoles = ['viewer', 'member', 'admin'] as const satisfies Role[];
export type ServiceAccountRole = (typeof serviceAccountRoles)[number];
export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];

export function roleReaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** The scopes that a role gives. */
export function scopesOfRole(role: Role): Scope[] {
  return roleReaches(role, 'member') ? ['read', 'write'] : ['read'];
}

/** The granted scopes that a role allows: every scope includes read, which every role gives. */
export function scopesWithin(role: Role, granted: Scope[]): Scope[] {
  return roleReaches(role, 'member') ? granted : scopesOfRole(role);
}

/** Whether granted scopes cover a needed one: write includes read. */
export function scopesInclude(granted: readonly Scope[], needed: Scope): boolean {
  return granted.includes(needed) || (needed === 'read' && granted.includes('write'));
}

/** Through which interface a request came, if not directly: the gateway's MCP server. */
export const via = () => z.literal('mcp').optional();
export type Via = z.infer<ReturnType<typeof via>>;

/** Absent for the default, which services from before this field know. */
const qualityModel = () => z.enum(qualityModels).optional();

/** Absent unless the workspace hides forecasts. */
const hiddenForecasts = () => z.literal(true).optional();

export const KeyPrincipal = z.strictObject({
  type: z.literal('api_key'),
  key_id: z.string(),
  key_name: z.string(),
  key_prefix: z.string(),
  /** The service account that the key belongs to, or who created the key. */
  user_id: z.string(),
  workspace_id: z.string(),
  scopes: z.array(z.enum(scopes)),
  plan: z.enum(plans),
  quality_model: qualityModel(),
  hidden_forecasts: hiddenForecasts(),
  /** The service account that the key belongs to; a key without one has no role of its own. */
  service_account: z.strictObject({ name: z.string(), role: z.enum(serviceAccountRoles) }).optional(),
  /** Until when a key of a person may change settings, as an admin; absent if it may not. */
  settings_until: z.string().optional(),
  via: via(),
});
export type KeyPrincipal = z.infer<typeof KeyPrincipal>;

export const Membership = z.strictObject({
  workspace_id: z.string(),
  role: z.enum(roles),
  plan: z.enum(plans),
  quality_model: qualityModel(),
  hidden_forecasts: hiddenForecasts(),
  /** Set where the workspace refuses sessions without a second factor. */
  requires_second_factor: z.literal(true).optional(),
});
export type Membership = z.infer<typeof Membership>;

export const SessionPrincipal = z.strictObject({
  type: z.literal('session'),
  session_id: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  /** Set for a session that was opened with a second factor. */
  second_factor: z.literal(true).optional(),
  /**
   * In the workspace that the query names, else in the only one of the user; null when the user is not a
   * member, has several workspaces, or the operation takes none.
   */
  membership: Membership.nullable(),
  via: via(),
});
export type SessionPrincipal = z.infer<typeof SessionPrincipal>;

/** Another service, calling an internal operation. */
export const ServicePrincipal = z.strictObject({ type: z.literal('service'), service: z.string() });
export type ServicePrincipal = z.infer<typeof ServicePrincipal>;

export const Principal = z.discriminatedUnion('type', [
  KeyPrincipal,
  SessionPrincipal,
  // A caller of an operation that needs no credentials.
  z.strictObject({ type: z.literal('anonymous') }),
  ServicePrincipal,
]);
export type Principal = z.infer<typeof Principal>;

/** The role of a key: of its service account, or admin while it may change settings; null for others. */
export function roleOfKey({ service_account, settings_until }: KeyPrincipal): ServiceAccountRole | null {
  return service_account?.role ?? (settings_until === undefined ? null : 'admin');
}

/** The membership that a principal carries: of a session, or of a key with a role. */
export function membershipOf(principal: Principal): Membership | null {
  if (principal.type === 'session') return principal.membership;
  const role = principal.type === 'api_key' ? roleOfKey(principal) : null;
  if (principal.type !== 'api_key' || role === null) return null;
  const { workspace_id, plan, quality_model, hidden_forecasts } = principal;
  return { workspace_id, plan, quality_model, hidden_forecasts, role };
}

/** The user, or service account, whose credentials a caller has; null for services, and without any. */
export const userOf = (principal: Principal): string | null =>
  'user_id' in principal ? principal.user_id : null;

/** The person whose API key a caller uses; null for every other caller. */
export const keyOwner = (principal: Principal): string | null =>
  principal.type === 'api_key' && !principal.service_account ? principal.user_id : null;

/** The workspace of a request that names none: that of the key, or the only one of the session's user. */
export function ownWorkspace(principal: Principal): string | null {
  if (principal.type === 'api_key') return principal.workspace_id;
  return principal.type === 'session' ? (principal.membership?.workspace_id ?? null) : null;
}

/** Through which interface a caller's request came; undefined for a direct request. */
export const viaOf = (principal: Principal): Via => ('via' in principal ? principal.via : undefined);

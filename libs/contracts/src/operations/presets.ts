import type { z } from 'zod';
import { type Role, roleReaches } from '../identity/principal.ts';
import { query } from '../schema/body.ts';
import { maybeInWorkspace } from '../schema/types.ts';

/* Who may call, and at which rate. */
export const PUBLIC = { caller: 'everyone', workspace: 'none', bucket: 'read' } as const;
/** Calls of keys and sessions. */
export const READ = { caller: 'key_or_session', scope: 'read', role: 'viewer', bucket: 'read' } as const;
export const WRITE = { ...READ, scope: 'write', role: 'member', bucket: 'mutation' } as const;
/** Long reads. */
export const EXPORT = { ...READ, bucket: 'export' } as const;
/** The description of what takes a record out of the trash. */
export const RESTORE =
  'The events say that it was created, with a version after that of the deletion. A record that was restored already is answered as it is.';
/** Settings: a session of an owner or admin, or a service account with the role admin. */
export const SETTINGS_READ = {
  caller: 'session_or_service_account',
  scope: 'read',
  role: 'admin',
  bucket: 'read',
} as const;
export const SETTINGS_WRITE = { ...SETTINGS_READ, scope: 'write', bucket: 'mutation' } as const;

/** Whether a caller with this role in the workspace may read settings, such as the addresses of members. */
export const readsSettings = (role: Role | null = null): boolean =>
  role !== null && roleReaches(role, SETTINGS_READ.role);

/** A user's own account, in no workspace. */
export const SELF_READ = { caller: 'session', bucket: 'read', workspace: 'none' } as const;
export const SELF_WRITE = { ...SELF_READ, bucket: 'mutation' } as const;
export const INTERNAL = { caller: 'service', bucket: 'read', workspace: 'none' } as const;

/* Where the request names its workspace, and its other query parameters. */
type Shape = z.core.$ZodLooseShape;
type None = Record<never, never>;

export const inQuery = <C extends object, S extends Shape = None>(
  caller: C,
  parameters: S = {} as S,
  renamed: Record<string, keyof S & string> = {},
) =>
  ({ ...caller, workspace: 'query', query: query({ ...maybeInWorkspace, ...parameters }, renamed) }) as const;

export const inQueryOrBody = <C extends object>(caller: C) =>
  ({ ...caller, workspace: 'query_or_body', query: query(maybeInWorkspace) }) as const;

/** The stored record names its workspace; a workspace in the query must be the same. */
export const ofRecord = <C extends object, S extends Shape = None>(caller: C, parameters: S = {} as S) =>
  ({ ...caller, workspace: 'record', query: query({ ...maybeInWorkspace, ...parameters }) }) as const;

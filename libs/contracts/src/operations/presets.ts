import { query } from '../schema/body.ts';
import { inWorkspace, maybeInWorkspace, pageQuery } from '../schema/types.ts';

/* Who may call. */
/** Calls without credentials. */
export const PUBLIC = { caller: 'everyone', workspace: 'none' } as const;
/** Calls of keys and sessions that read. */
export const READ = { caller: 'key_or_session', scope: 'read', role: 'viewer', bucket: 'read' } as const;
/** Calls of keys and sessions that change something. */
export const WRITE = {
  caller: 'key_or_session',
  scope: 'write',
  role: 'member',
  bucket: 'mutation',
} as const;
/** Long reads, in a bucket of their own. */
export const EXPORT = { ...READ, bucket: 'export' } as const;
/** Settings: a session of an owner or admin. */
export const SETTINGS_READ = { caller: 'session', role: 'admin', bucket: 'read' } as const;
export const SETTINGS_WRITE = { ...SETTINGS_READ, bucket: 'mutation' } as const;
/** A user's own account, in no workspace. */
export const SELF_READ = { caller: 'session', bucket: 'read', workspace: 'none' } as const;
export const SELF_WRITE = { ...SELF_READ, bucket: 'mutation' } as const;
/** Calls between services. */
export const INTERNAL = { caller: 'service', bucket: 'read', workspace: 'none' } as const;

/* Where the workspace is named. */
export const IN_QUERY = { workspace: 'query', query: query(inWorkspace) } as const;
/** A list of a workspace, page by page. */
export const PAGE_IN_QUERY = { workspace: 'query', query: query({ ...inWorkspace, ...pageQuery }) } as const;
export const IN_QUERY_OR_BODY = { workspace: 'query_or_body', query: query(maybeInWorkspace) } as const;
/** The record names its workspace; a workspace in the query must be the same. */
export const IN_RECORD = { workspace: 'record', query: query(maybeInWorkspace) } as const;

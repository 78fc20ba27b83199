import type { Person } from './accounts.ts';

/** The API key operations, called as a person. */
export const create = (
  by: Person,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) => by.call('POST', '/api-keys', { body: { workspaceId: by.workspaceId, name: 'a key', ...body }, headers });
export const rotate = (by: Person, id: string, body: Record<string, unknown> = {}, headers = {}) =>
  by.call('POST', `/api-keys/${id}/rotate`, { body, headers });
export const revoke = (by: Person, id: string, headers: Record<string, string> = {}) =>
  by.call('DELETE', `/api-keys/${id}`, { headers });
export const list = (by: Person, query: Record<string, string | number> = {}) =>
  by.call('GET', '/api-keys', { query: { workspaceId: by.workspaceId, ...query } });

import type { Role } from '@waymark/contracts';
import type { Answer } from '@waymark/testing';
import type { Person } from './accounts.ts';

export type Member = Person & { memberId: string };

export const add = (
  by: Person,
  owner: Person,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
) => by.call('POST', '/members', { body: { workspaceId: owner.workspaceId, ...body }, headers });
export const invitationIn = ({ body }: Pick<Answer, 'body'>): string => body.url.split('#')[1];
export const accept = (by: Person, token: string, headers: Record<string, string> = {}) =>
  by.call('POST', '/invitations/accept', { body: { token }, headers });
export const setRole = (by: Person, memberId: string, role: Role, headers: Record<string, string> = {}) =>
  by.call('PATCH', `/members/${memberId}`, { body: { role }, headers });
export const remove = (by: Person, memberId: string, headers: Record<string, string> = {}) =>
  by.call('DELETE', `/members/${memberId}`, { headers });
export const list = (by: Person, query: Record<string, string | number> = {}) =>
  by.call('GET', '/members', { query: { workspaceId: by.workspaceId, ...query } });

export async function ownMemberId(owner: Person): Promise<string> {
  const { body } = await list(owner);
  return body.data.find((member: { user_id: string }) => member.user_id === owner.userId).id;
}

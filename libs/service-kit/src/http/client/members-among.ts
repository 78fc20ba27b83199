import type { Role } from '@waymark/contracts';
import type { CallInternal } from './internal-client.ts';

export type MembersById = ReadonlyMap<string, { name: string; role: Role }>;

/** Returns the users who are members of the workspace now, by id. Makes no call without users. */
export async function membersAmong(
  call: CallInternal,
  workspaceId: string,
  userIds: Iterable<string>,
): Promise<MembersById> {
  const user_ids = [...new Set(userIds)];
  if (user_ids.length === 0) return new Map();
  const { members } = await call('findMembers', { params: { id: workspaceId }, body: { user_ids } });
  return new Map(members.map(({ user_id, ...member }) => [user_id, member]));
}

import type { Role } from '@waymark/contracts';
import type { Answer, CallInput } from './http-call.ts';

type Call = (method: string, path: string, input?: CallInput) => Promise<Answer>;

/**
 * Makes a person a member: an owner or admin invites the address, and the person accepts. Returns the id of
 * the membership. Throws unless the API accepts both.
 */
export async function joinWorkspace(
  callers: { inviter: Call; person: Call },
  { workspaceId, ...invitation }: { workspaceId: string; email: string; role: Role },
): Promise<string> {
  const successful = async (calling: Promise<Answer>) => {
    const answer = await calling;
    if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const body = { workspaceId, ...invitation };
  const { url } = await successful(callers.inviter('POST', '/members', { body }));
  const token = new URL(url).hash.slice(1);
  await successful(callers.person('POST', '/invitations/accept', { body: { token } }));
  const { data } = await successful(callers.person('GET', '/workspaces'));
  return data.find(({ id }: { id: string }) => id === workspaceId).member_id;
}

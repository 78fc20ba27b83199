import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from './use-workspace.ts';

const MEMBERS_MAX = 500;

/**
 * The members' names by user id and by member id; empty until they are read, and for callers who may not
 * see the members.
 */
export function useMemberNames(isNeeded = true): ReadonlyMap<string, string> {
  const { id: workspaceId, may } = useWorkspace();
  const { data: members } = useQuery({
    queryKey: [...queryKeys.members(workspaceId), 'names'],
    queryFn: () => unwrap(api.GET('/members', { params: { query: { workspaceId, limit: MEMBERS_MAX } } })),
    enabled: isNeeded && may('admin'),
  });
  return new Map(
    members?.data.flatMap(({ id, user_id, name }): [string, string][] => [
      [user_id, name],
      [id, name],
    ]),
  );
}

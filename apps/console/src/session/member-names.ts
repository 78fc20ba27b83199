import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from './use-workspace.ts';

const MEMBERS_MAX = 500;

/** The members; none until they are read, and for callers who may not see them. */
export function useMembers(isNeeded = true) {
  const { id: workspaceId, may } = useWorkspace();
  const { data: members } = useQuery({
    queryKey: [...queryKeys.members(workspaceId), 'names'],
    queryFn: () => unwrap(api.GET('/members', { params: { query: { workspaceId, limit: MEMBERS_MAX } } })),
    enabled: isNeeded && may('admin'),
  });
  return members?.data ?? [];
}

/** The members' names by user id and by member id. */
export function useMemberNames(isNeeded = true): ReadonlyMap<string, string> {
  return new Map(
    useMembers(isNeeded).flatMap(({ id, user_id, name }): [string, string][] => [
      [user_id, name],
      [id, name],
    ]),
  );
}

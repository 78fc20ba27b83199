import { queryOptions, useQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from './use-workspace.ts';

const NOBODY: Schemas['Person'][] = [];

export const peopleQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...queryKeys.members(workspaceId), 'people'],
    changesWith: ['workspace.*', 'invitation.*'],
    queryFn: () => readPeople(workspaceId),
  });

/** The members of the workspace by name; null until they are read. */
export function usePeople(isNeeded = true): Schemas['Person'][] | null {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery({ ...peopleQuery(workspaceId), enabled: isNeeded });
  return isNeeded ? (data ?? null) : NOBODY;
}

async function readPeople(workspaceId: string): Promise<Schemas['Person'][]> {
  const people: Schemas['Person'][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { workspaceId, limit: limits.pageSizeMax, ...(cursor && { cursor }) };
    const page: { data: Schemas['Person'][]; next_cursor: string | null } = await api.get('/people', query);
    people.push(...page.data);
    cursor = page.next_cursor;
  }
  return people;
}

const approversIn = (people: Schemas['Person'][]) => people.filter(({ role }) => role !== 'viewer');

/** Reads the members whose verdict on a decision counts. */
export function useApprovers() {
  const { id: workspaceId } = useWorkspace();
  return useQuery({ ...peopleQuery(workspaceId), select: approversIn });
}

import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from './use-workspace.ts';

const PAGE = 500;
const NOBODY: Schemas['Person'][] = [];

const USER_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Whether an entry in a list of people is the id of a member, as opposed to the name of somebody else. */
export const isUserId = (entry: string) => USER_ID.test(entry);

export const peopleQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...queryKeys.members(workspaceId), 'people'],
    queryFn: () => readPeople(workspaceId),
  });

/** The members of the workspace by name; null until they are read. */
export function usePeople(isNeeded = true): Schemas['Person'][] | null {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery({ ...peopleQuery(workspaceId), enabled: isNeeded });
  return isNeeded ? (data ?? null) : NOBODY;
}

/** The name of an entry in a list of people: that of the member now, or the text itself. */
export const nameIn = (people: readonly Pick<Schemas['Person'], 'id' | 'name'>[], entry: string) =>
  (isUserId(entry) && people.find(({ id }) => id === entry)?.name) || entry;

/** The entry for a name that somebody chose or typed: one of `known`, a member's id, or the name. */
export const entryFor = (
  people: readonly Pick<Schemas['Person'], 'id' | 'name'>[],
  name: string,
  known: readonly string[],
) =>
  known.find((entry) => nameIn(people, entry) === name) ??
  people.find((one) => one.name === name)?.id ??
  name;

async function readPeople(workspaceId: string): Promise<Schemas['Person'][]> {
  const people: Schemas['Person'][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { workspaceId, limit: PAGE, ...(cursor && { cursor }) };
    const page: { data: Schemas['Person'][]; next_cursor: string | null } = await unwrap(
      api.GET('/people', { params: { query } }),
    );
    people.push(...page.data);
    cursor = page.next_cursor;
  }
  return people;
}

/** The members with addresses; none until they are read, and for callers who may not see them. */
export function useMembers(isNeeded = true) {
  const { id: workspaceId, may } = useWorkspace();
  const { data: members } = useQuery({
    queryKey: [...queryKeys.members(workspaceId), 'names'],
    queryFn: () => unwrap(api.GET('/members', { params: { query: { workspaceId, limit: PAGE } } })),
    enabled: isNeeded && may('admin'),
  });
  return members?.data ?? [];
}

/** The members' names by user id and by member id, for admins. */
export function useMemberNames(isNeeded = true): ReadonlyMap<string, string> {
  return new Map(
    useMembers(isNeeded).flatMap(({ id, user_id, name }): [string, string][] => [
      [user_id, name],
      [id, name],
    ]),
  );
}

import { useQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { number } from '../texts/format.ts';
import { searchTexts as t } from '../texts/search.ts';
import { wordsTexts } from '../texts/words.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { SearchHit } from './search-hit.ts';
import { isSimilar } from './similar.ts';

const KEPT_MS = 60_000;

/** Members, for users who may see them, and authors of decisions, whose names are like the typed text. */
export function usePeople(typed: string): SearchHit[] {
  const { id: workspaceId, may } = useWorkspace();
  const { data = [] } = useQuery({
    queryKey: [...queryKeys.search(workspaceId), 'people'],
    changesWith: [],
    queryFn: () => readPeople(workspaceId, may('admin')),
    staleTime: KEPT_MS,
    enabled: typed !== '',
  });
  return typed === '' ? [] : data.filter(({ title }) => isSimilar(typed, title));
}

async function readPeople(workspaceId: string, maySeeMembers: boolean): Promise<SearchHit[]> {
  const home = `/w/${workspaceId}`;
  const [{ authors }, members] = await Promise.all([
    api.get('/decisions/facets', { workspaceId }),
    maySeeMembers ? api.get('/members', { workspaceId, limit: limits.pageSizeMax }) : null,
  ]);
  return [
    ...(members?.data ?? []).map(({ id, name, email, role }) => ({
      id,
      title: `${name} (${email})`,
      about: wordsTexts.role[role],
      address: `${home}/settings/members`,
      highlights: [],
    })),
    ...authors.flatMap(({ id, name, count }) =>
      name === null
        ? []
        : {
            id: `author ${id}`,
            title: t.decisionsBy(name),
            about: number(count),
            address: `${home}/decisions?author=${id}`,
            highlights: [],
          },
    ),
  ];
}

const NEWEST = 100;
const SHOWN = 8;

/** The newest decisions and workflows with titles like the typed text, for a search without results. */
export function useSimilarTitles(typed: string, isWanted: boolean): SearchHit[] {
  const { id: workspaceId } = useWorkspace();
  const { data = [] } = useQuery({
    queryKey: [...queryKeys.search(workspaceId), 'titles'],
    changesWith: [],
    queryFn: () => readTitles(workspaceId),
    staleTime: KEPT_MS,
    enabled: isWanted,
  });
  return isWanted ? data.filter(({ title }) => isSimilar(typed, title)).slice(0, SHOWN) : [];
}

async function readTitles(workspaceId: string): Promise<SearchHit[]> {
  const query = { workspaceId, limit: NEWEST };
  const [{ decisions }, workflows] = await Promise.all([
    api.get('/decisions', query),
    api.get('/workflows', query),
  ]);
  const hit =
    (folder: string, about: string) =>
    ({ id, title }: { id: string; title: string }) => ({
      ...{ id, title, about, address: `/w/${workspaceId}/${folder}/${id}`, highlights: [] },
    });
  return [
    ...decisions.map(hit('decisions', t.kinds.decision)),
    ...workflows.data.map(hit('workflows', t.kinds.workflow)),
  ];
}

import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { searchTexts as t } from '../texts/search.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { SearchHit } from './search-hit.ts';
import { isSimilar } from './similar.ts';

const KEPT_MS = 60_000;
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
    unwrap(api.GET('/decisions', { params: { query } })),
    unwrap(api.GET('/workflows', { params: { query } })),
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

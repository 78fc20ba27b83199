import { useQueries } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { useMemo } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../session/use-workspace.ts';

type AuditEntry = Schemas['AuditEntry'];

/** A session has 100 reads a minute. */
const READ_MAX = 25;

const READS: Record<string, (id: string) => Promise<{ title: string }>> = {
  decision: (id) => unwrap(api.GET('/decisions/{id}', { params: { path: { id } } })),
  workflow: (id) => unwrap(api.GET('/workflows/{id}', { params: { path: { id } } })),
  node: (id) => unwrap(api.GET('/nodes/{id}', { params: { path: { id } } })),
};

/** The titles of records by id: those that the entries tell, and of the first others what they have now. */
export function useTitles(entries: AuditEntry[]): Map<string, string> {
  const { id: workspaceId } = useWorkspace();
  const told = useMemo(() => titlesIn(entries), [entries]);
  const missing = new Map(
    entries.flatMap(({ resource_type, resource_id: id, action }) =>
      id && READS[resource_type] && !told.has(id) && !action.endsWith('.delete') ? [[id, resource_type]] : [],
    ),
  );
  return useQueries({
    queries: [...missing].slice(0, READ_MAX).map(([id, type]) => ({
      queryKey: [...queryKeys.search(workspaceId), 'title', id],
      queryFn: async () => [id, (await READS[type]!(id)).title] as const,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
    combine: (found) => new Map([...told, ...found.flatMap(({ data }) => (data ? [data] : []))]),
  });
}

/** The newest entries are first. */
function titlesIn(entries: AuditEntry[]): Map<string, string> {
  const titles = new Map<string, string>();
  for (const { resource_id, changes } of entries) {
    const { before, after } = changes?.['title'] ?? changes?.['name'] ?? changes?.['url'] ?? {};
    const title = after ?? before;
    if (resource_id && typeof title === 'string' && !titles.has(resource_id)) titles.set(resource_id, title);
  }
  return titles;
}

import { invalid, type Operation } from '@waymark/contracts';

/** Returns the workspace that a request names; null for operations that find it in a record or need none. */
export function namedWorkspace(
  { workspace }: Operation,
  params: unknown,
  query: unknown,
  body: unknown,
): string | null {
  const inQuery = (query as { workspace_id?: string }).workspace_id;
  const inBody = (body as { workspace_id?: string }).workspace_id;
  if (inQuery && inBody && inQuery !== inBody)
    throw invalid('workspaceId', 'differs between query and body; send one');
  if (workspace === 'none' || workspace === 'record') return null;
  if (workspace === 'path') return (params as { id?: string }).id ?? null;
  const workspaceId = inQuery ?? inBody;
  if (!workspaceId) throw invalid('workspaceId', 'is required (uuid)');
  return workspaceId;
}

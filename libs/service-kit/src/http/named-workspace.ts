import { invalid, type Operation } from '@waymark/contracts';

/** Returns the workspace that a request names; null for operations that find it in a record or need none. */
export function namedWorkspace(
  operation: Operation,
  params: unknown,
  query: unknown,
  body: unknown,
): string | null {
  const inPath = (params as { id?: string }).id;
  const inQuery = (query as { workspace_id?: string }).workspace_id;
  const inBody = (body as { workspace_id?: string }).workspace_id;
  if (inQuery && inBody && inQuery !== inBody) {
    throw invalid('workspaceId', 'differs between query and body; send one');
  }
  switch (operation.workspace) {
    case 'none':
    case 'record':
      return null;
    case 'path':
      return inPath ?? null;
    default: {
      const workspaceId = inQuery ?? inBody;
      if (!workspaceId) throw invalid('workspaceId', 'is required (uuid)');
      return workspaceId;
    }
  }
}

import { ApiError, invalid, type Operation, ownWorkspace, type Principal } from '@waymark/contracts';

/**
 * Returns the workspace that a request names, or the caller's own; null for operations that find it in a
 * record or need none.
 */
export function namedWorkspace(
  { workspace }: Operation,
  principal: Principal,
  { params, query, body }: { params: unknown; query: unknown; body: unknown },
): string | null {
  const inQuery = (query as { workspace_id?: string }).workspace_id;
  const inBody = (body as { workspace_id?: string }).workspace_id;
  if (inQuery && inBody && inQuery !== inBody) {
    // One of the two is not the key's workspace.
    if (principal.type === 'api_key') throw new ApiError('WORKSPACE_MISMATCH');
    throw invalid('workspaceId', 'differs between query and body; send one');
  }
  if (workspace === 'none' || workspace === 'record') return null;
  if (workspace === 'path') return (params as { id?: string }).id ?? null;
  return requireWorkspace(inQuery ?? inBody ?? ownWorkspace(principal));
}

/** Throws VALIDATION_ERROR for a request without a workspace whose caller has none or several. */
export function requireWorkspace(workspaceId: string | null): string {
  if (workspaceId !== null) return workspaceId;
  throw invalid('workspaceId', 'is required, because you are not a member of exactly one workspace (uuid)');
}

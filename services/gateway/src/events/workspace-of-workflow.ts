import { boundedCache } from '@waymark/service-kit/jobs';
import type { Runtime } from '@waymark/service-kit/runtime';

export type WorkspaceOfWorkflow = ReturnType<typeof workspaceOfWorkflow>;

const KNOWN_MAX = 20_000;

/** Returns the function that looks up the workspace of a workflow, null if unknown. It never changes. */
export function workspaceOfWorkflow({ call }: Pick<Runtime, 'call'>) {
  const known = boundedCache<string, string>(KNOWN_MAX);
  return async (id: string): Promise<string | null> => {
    const cached = known.get(id);
    if (cached) return cached;
    const { workspace_id } = await call('resolveWorkflow', { params: { id } });
    if (workspace_id) known.set(id, workspace_id);
    return workspace_id;
  };
}

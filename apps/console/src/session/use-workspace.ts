import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type Role, sessionQuery, type Workspace } from './session-query.ts';

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };

export interface OpenWorkspace extends Workspace {
  /** Whether the user's role is this one or above: show nothing that would be refused. */
  may: (role: Role) => boolean;
}

/** The workspace of the address, with the user's role in it; null when the address names none, or none of theirs. */
export function useOpenWorkspace(): OpenWorkspace | null {
  const { workspaceId } = useParams({ strict: false });
  const { data } = useSuspenseQuery(sessionQuery);
  const workspace = data.workspaces.find(({ id }) => id === workspaceId);
  return workspace ? { ...workspace, may: (role) => RANK[workspace.role] >= RANK[role] } : null;
}

/** The same for components below workspaceRoute, where there always is one. */
export function useWorkspace(): OpenWorkspace {
  const workspace = useOpenWorkspace();
  if (!workspace) throw new Error('useWorkspace outside of a workspace');
  return workspace;
}

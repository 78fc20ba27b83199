import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { createContext, useContext, useMemo } from 'react';
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
  return useMemo(
    () => (workspace ? { ...workspace, may: (role: Role) => RANK[workspace.role] >= RANK[role] } : null),
    [workspace],
  );
}

/** What stands around a page looks up the workspace for all of it: when it goes, so does the page, in one step. */
export const WorkspaceContext = createContext<OpenWorkspace | null>(null);

/** The workspace for components below a WorkspaceContext that has one, as all pages of workspaceRoute are. */
export function useWorkspace(): OpenWorkspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('useWorkspace outside of a workspace');
  return workspace;
}

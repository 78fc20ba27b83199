import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { createContext, useContext, useMemo } from 'react';
import { workspaceToOpen } from './last-workspace.ts';
import { type Role, sessionQuery, type Workspace } from './session-query.ts';

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };

export interface OpenWorkspace extends Workspace {
  /** Whether the user's role is at least this one. Do not show what would be refused. */
  may: (role: Role) => boolean;
  /** Whether the workspace refuses this session, which has no second factor. */
  isLocked: boolean;
}

/**
 * The workspace of the URL with the user's role; null if the user is not a member. A page of the user, such
 * as the account, stays in the last open workspace; null if the user has none.
 */
export function useOpenWorkspace(): OpenWorkspace | null {
  const { workspaceId } = useParams({ strict: false });
  const { data } = useSuspenseQuery(sessionQuery);
  const workspace =
    workspaceId === undefined
      ? workspaceToOpen(data.workspaces)
      : data.workspaces.find(({ id }) => id === workspaceId);
  return useMemo(
    () =>
      workspace
        ? {
            ...workspace,
            may: (role: Role) => RANK[workspace.role] >= RANK[role],
            isLocked: workspace.require_second_factor && !data.second_factor,
          }
        : null,
    [workspace, data.second_factor],
  );
}

/** The shell looks up the workspace for the whole page, so that both disappear together. */
export const WorkspaceContext = createContext<OpenWorkspace | null>(null);

/** The workspace for components below workspaceRoute, where there always is one. */
export function useWorkspace(): OpenWorkspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('useWorkspace outside of a workspace');
  return workspace;
}

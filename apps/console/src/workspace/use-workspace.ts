import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { planFeatures, roles } from '@waymark/client/facts';
import { createContext, useContext, useMemo } from 'react';
import { type Role, sessionQuery, type Workspace } from '../session/session-query.ts';
import { workspaceToOpen } from './last-workspace.ts';

export interface OpenWorkspace extends Workspace {
  /** Whether the user's role is at least this one. Do not show a control that would be refused. */
  may: (role: Role) => boolean;
  /** Whether the plan includes it. */
  has: (feature: keyof typeof planFeatures) => boolean;
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
            may: (role: Role) => roles.indexOf(workspace.role) >= roles.indexOf(role),
            has: (feature) => (planFeatures[feature] as readonly string[]).includes(workspace.plan),
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

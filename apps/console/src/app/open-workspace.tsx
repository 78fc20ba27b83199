import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { rememberWorkspace } from '../workspace/last-workspace.ts';
import { useOpenWorkspace, WorkspaceContext } from '../workspace/use-workspace.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { SecondFactorGate } from './second-factor-gate.tsx';

/** The pages of a workspace while the user is a member; membership can end at any time. */
export function OpenWorkspace() {
  const workspace = useOpenWorkspace();
  const id = workspace?.id;
  useEffect(() => {
    if (id) rememberWorkspace(id);
  }, [id]);
  if (!workspace) return <NotFoundPage />;
  if (workspace.isLocked) return <SecondFactorGate workspace={workspace.name} />;
  return (
    <WorkspaceContext value={workspace}>
      <Outlet />
    </WorkspaceContext>
  );
}

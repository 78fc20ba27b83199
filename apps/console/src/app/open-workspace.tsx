import { Outlet } from '@tanstack/react-router';
import { SecondFactorGate } from '../session/second-factor-gate.tsx';
import { useOpenWorkspace, WorkspaceContext } from '../session/use-workspace.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** The pages of a workspace while the user is a member; membership can end at any time. */
export function OpenWorkspace() {
  const workspace = useOpenWorkspace();
  if (!workspace) return <NotFoundPage />;
  if (workspace.isLocked) return <SecondFactorGate workspace={workspace.name} />;
  return (
    <WorkspaceContext value={workspace}>
      <Outlet />
    </WorkspaceContext>
  );
}

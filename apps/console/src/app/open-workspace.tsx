import { Outlet } from '@tanstack/react-router';
import { useOpenWorkspace, WorkspaceContext } from '../session/use-workspace.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** The pages of a workspace, for as long as it is one of the user's: somebody may be removed from it meanwhile. */
export function OpenWorkspace() {
  const workspace = useOpenWorkspace();
  if (!workspace) return <NotFoundPage />;
  return (
    <WorkspaceContext value={workspace}>
      <Outlet />
    </WorkspaceContext>
  );
}

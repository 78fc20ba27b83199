import { Outlet } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useContext, useEffect } from 'react';
import { sessionTexts as t } from '../texts/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { Page } from '../ui/page.tsx';
import { rememberWorkspace } from '../workspace/last-workspace.ts';
import { WorkspaceContext } from '../workspace/use-workspace.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** The pages of a workspace while the user is a member; membership can end at any time. */
export function OpenWorkspace() {
  const workspace = useContext(WorkspaceContext);
  const id = workspace?.id;
  useEffect(() => {
    if (id) rememberWorkspace(id);
  }, [id]);
  if (!workspace) return <NotFoundPage />;
  if (workspace.isLocked) return <SecondFactorGate workspace={workspace.name} />;
  return <Outlet />;
}

/** Shown instead of a workspace that requires a second factor, which this session has not. */
function SecondFactorGate({ workspace }: { workspace: string }) {
  return (
    <Page title={workspace}>
      <EmptyState
        icon={<ShieldCheck />}
        title={t.secondFactor.title}
        action={<ButtonLink to="/account">{t.secondFactor.setUp}</ButtonLink>}
        hint={t.secondFactor.hint}
      />
    </Page>
  );
}

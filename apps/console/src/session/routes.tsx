import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, notFound, redirect } from '@tanstack/react-router';
import { WaymarkError } from '@waymark/client/api';
import { rememberWorkspace, workspaceToOpen } from './last-workspace.ts';
import { type SignedIn, sessionQuery } from './session-query.ts';

/**
 * The parent routes. Features add theirs below `workspaceRoute`, or below `userRoute` for a user's own
 * pages; app/router.tsx adds the shell.
 */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()();

async function requireSession(queryClient: QueryClient, back: string): Promise<SignedIn> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!(error instanceof WaymarkError) || error.code !== 'UNAUTHORIZED') throw error;
    throw redirect({ to: '/sign-in', search: back === '/' ? {} : { back } });
  }
}

/** All pages for signed-in users. */
export const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'user',
  beforeLoad: async ({ context, location }) => ({
    signedIn: await requireSession(context.queryClient, location.href),
  }),
});

/** All pages of a workspace; `useWorkspace` returns it. */
export const workspaceRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/w/$workspaceId',
  beforeLoad: ({ context, params, preload }) => {
    const workspace = context.signedIn.workspaces.find(({ id }) => id === params.workspaceId);
    if (!workspace) throw notFound();
    // Preloading on hover does not open the workspace.
    if (!preload) rememberWorkspace(workspace.id);
  },
});

export const homeRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/',
  beforeLoad: ({ context }) => {
    const workspace = workspaceToOpen(context.signedIn.workspaces);
    if (!workspace) throw redirect({ to: '/new-workspace' });
    throw redirect({ to: '/w/$workspaceId/decisions', params: { workspaceId: workspace.id } });
  },
});

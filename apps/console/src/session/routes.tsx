import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, notFound, redirect } from '@tanstack/react-router';
import { WaymarkError } from '@waymark/client/api';
import { rememberWorkspace, workspaceToOpen } from './last-workspace.ts';
import { type SignedIn, sessionQuery } from './session-query.ts';

/**
 * The routes that all others hang below. Features add theirs below `workspaceRoute` (or `userRoute`, for what belongs to a person);
 * app/router.tsx puts the shell around them.
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

/** Everything for people who are signed in. */
export const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'user',
  beforeLoad: async ({ context, location }) => ({
    signedIn: await requireSession(context.queryClient, location.href),
  }),
});

/** Everything in a workspace; `useWorkspace` tells which. */
export const workspaceRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/w/$workspaceId',
  beforeLoad: ({ context, params, preload }) => {
    const workspace = context.signedIn.workspaces.find(({ id }) => id === params.workspaceId);
    if (!workspace) throw notFound();
    // A pointer that passes over its link has not opened it.
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

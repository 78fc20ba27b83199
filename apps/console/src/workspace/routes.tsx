import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { hasCode } from '../api/client.ts';
import { type SignedIn, sessionQuery } from '../session/session-query.ts';
import { workspaceToOpen } from './last-workspace.ts';

/**
 * The parent routes. Features add theirs below `workspaceRoute`, or below `userRoute` for a user's own
 * pages; app/router.tsx adds the shell.
 */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()();

async function requireSession(queryClient: QueryClient, back: string): Promise<SignedIn> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!hasCode(error, 'UNAUTHORIZED')) throw error;
    throw redirect({ to: '/sign-in', search: back === '/' ? {} : { back } });
  }
}

/** All pages for signed-in users. */
export const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'user',
  // Not beforeLoad: the loaders of the pages would wait for it.
  loader: async ({ context, location }) => {
    await requireSession(context.queryClient, location.href);
  },
});

/** All pages of a workspace; `useWorkspace` returns it. */
export const workspaceRoute = createRoute({ getParentRoute: () => userRoute, path: '/w/$workspaceId' });

/** A page that needs neither a loader nor parameters in its search. */
export function page<Parent extends AnyRoute, Path extends string>(
  parent: Parent,
  path: Path,
  component: RouteComponent,
) {
  return createRoute({ getParentRoute: () => parent, path, component });
}

export const homeRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/',
  loader: async ({ context }) => {
    const { workspaces } = await requireSession(context.queryClient, '/');
    const workspace = workspaceToOpen(workspaces);
    if (!workspace) throw redirect({ to: '/new-workspace' });
    throw redirect({ to: '/w/$workspaceId/decisions', params: { workspaceId: workspace.id } });
  },
});

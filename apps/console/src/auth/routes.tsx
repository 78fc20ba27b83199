import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../session/routes.tsx';

/** Where to go after signing in: only ever to a page of this console. */
function backOf(search: Record<string, unknown>): { back?: string | undefined } {
  const { back } = search;
  const isOwn = typeof back === 'string' && /^\/(?![/\\])/.test(back);
  // Named even when it is dropped: the router keeps what a validation leaves out.
  return { back: isOwn ? back : undefined };
}

interface SignInSearch {
  back?: string | undefined;
  /** Why single sign-on sent the visitor back here. */
  sso_error?: string | undefined;
}

function signInSearchOf(search: Record<string, unknown>): SignInSearch {
  const { sso_error } = search;
  return { ...backOf(search), sso_error: typeof sso_error === 'string' ? sso_error : undefined };
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: signInSearchOf,
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: backOf,
  component: lazyRouteComponent(() => import('./sign-up-page.tsx'), 'SignUpPage'),
});

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  component: lazyRouteComponent(() => import('./join-page.tsx'), 'JoinPage'),
});

export const authRoutes = [signInRoute, signUpRoute, joinRoute];

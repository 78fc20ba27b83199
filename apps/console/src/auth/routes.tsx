import { createRoute } from '@tanstack/react-router';
import { signInMethodsQuery } from '../session/session-query.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { rootRoute } from '../workspace/routes.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** The page to open after sign-in; only pages of this console are allowed. */
function backOf(search: Record<string, unknown>): { back?: string | undefined } {
  const { back } = search;
  const isOwn = typeof back === 'string' && /^\/(?![/\\])/.test(back);
  // Set even if undefined: the router keeps parameters that the validation omits.
  return { back: isOwn ? back : undefined };
}

interface SignInSearch {
  back?: string | undefined;
  /** Why single sign-on returned the user to this page. */
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
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(signInMethodsQuery);
  },
  // Not lazy: the other pages need its fields as well.
  component: SignInPage,
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: backOf,
  component: lazyPage(() => import('./sign-up-page.tsx'), 'SignUpPage'),
});

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  component: lazyPage(() => import('./join-page.tsx'), 'JoinPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyPage(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyPage(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
});

const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm-email',
  component: lazyPage(() => import('./confirm-email-page.tsx'), 'ConfirmEmailPage'),
});

const unsubscribeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/unsubscribe',
  component: lazyPage(() => import('./unsubscribe-page.tsx'), 'UnsubscribePage'),
});

export const authRoutes = [
  signInRoute,
  signUpRoute,
  joinRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  confirmEmailRoute,
  unsubscribeRoute,
];

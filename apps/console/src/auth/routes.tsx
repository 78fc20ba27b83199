import { createRoute } from '@tanstack/react-router';
import { signInMethodsQuery } from '../session/session-query.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { page, rootRoute } from '../workspace/routes.tsx';
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

const JoinPage = lazyPage(() => import('./join-page.tsx'), 'JoinPage');
const ForgotPasswordPage = lazyPage(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage');
const ResetPasswordPage = lazyPage(() => import('./reset-password-page.tsx'), 'ResetPasswordPage');
const ConfirmEmailPage = lazyPage(() => import('./mailed-link-pages.tsx'), 'ConfirmEmailPage');
const UnsubscribePage = lazyPage(() => import('./mailed-link-pages.tsx'), 'UnsubscribePage');

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

export const authRoutes = [
  signInRoute,
  signUpRoute,
  page(rootRoute, '/join', JoinPage),
  page(rootRoute, '/forgot-password', ForgotPasswordPage),
  page(rootRoute, '/reset-password', ResetPasswordPage),
  page(rootRoute, '/confirm-email', ConfirmEmailPage),
  page(rootRoute, '/unsubscribe', UnsubscribePage),
];

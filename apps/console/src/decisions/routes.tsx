import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { pagedQuery } from '../ui/list/paged-query.ts';
import { firstFilters } from '../views/first-filters.ts';
import { forRole } from '../workspace/for-role.tsx';
import { page, workspaceRoute } from '../workspace/routes.tsx';
import { decisionPageQuery } from './decision-query.ts';
import { decisionList } from './list/decision-list.ts';
import { decisionFiltersOf } from './views/decision-filters.ts';
import { decisionViews } from './views/decision-views.ts';

const NewDecisionPage = lazyPage(() => import('./form/new-decision-page.tsx'), 'NewDecisionPage');
const EditDecisionPage = lazyPage(() => import('./form/edit-decision-page.tsx'), 'EditDecisionPage');

const decisionListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/decisions',
  validateSearch: decisionFiltersOf,
  loaderDeps: ({ search }) => search,
  // Load in parallel with the page's code, as the decision below.
  loader: async ({ context: { queryClient }, params, deps, cause }) => {
    const { workspaceId } = params;
    void queryClient.prefetchInfiniteQuery(pagedQuery(decisionList(workspaceId, deps)));
    if (cause !== 'enter' || Object.keys(deps).length > 0) return;
    const search = await firstFilters(queryClient, workspaceId, decisionViews);
    if (search) throw redirect({ to: decisionViews.to, params, search, replace: true });
  },
  component: lazyPage(() => import('./list/decision-list-page.tsx'), 'DecisionListPage'),
});

const newDecisionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/decisions/new',
  validateSearch: ({ supersedes }: Record<string, unknown>): { supersedes?: string } =>
    typeof supersedes === 'string' ? { supersedes } : {},
  component: forRole('member', 'newDecision', NewDecisionPage),
});

const decisionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/decisions/$decisionId',
  loader: ({ context, params: { workspaceId, decisionId } }) => {
    void context.queryClient.prefetchQuery(decisionPageQuery(workspaceId, decisionId));
  },
  component: lazyPage(() => import('./page/decision-page.tsx'), 'DecisionPage'),
});

export const decisionRoutes = [
  decisionListRoute,
  newDecisionRoute,
  decisionRoute,
  page(workspaceRoute, '/decisions/$decisionId/edit', forRole('member', 'editDecision', EditDecisionPage)),
];

import { createRoute } from '@tanstack/react-router';
import { forRole } from '../session/for-role.tsx';
import { workspaceRoute } from '../session/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';
import { pagedQuery } from '../ui/list/use-paged.ts';
import { decisionPageQuery } from './decision-query.ts';
import { decisionFiltersOf } from './list/decision-filters.ts';
import { decisionList } from './list/decision-list.ts';

const decisionListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/decisions',
  validateSearch: decisionFiltersOf,
  loaderDeps: ({ search }) => search,
  // Load in parallel with the page's code, as the decision below.
  loader: ({ context, params, deps }) => {
    void context.queryClient.prefetchInfiniteQuery(pagedQuery(decisionList(params.workspaceId, deps)));
  },
  component: lazyPage(() => import('./list/decision-list-page.tsx'), 'DecisionListPage'),
});

const newDecisionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/decisions/new',
  validateSearch: ({ supersedes }: Record<string, unknown>): { supersedes?: string } =>
    typeof supersedes === 'string' ? { supersedes } : {},
  component: forRole(
    'member',
    'newDecision',
    lazyPage(() => import('./form/new-decision-page.tsx'), 'NewDecisionPage'),
  ),
});

const decisionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/decisions/$decisionId',
  loader: ({ context, params: { workspaceId, decisionId } }) => {
    void context.queryClient.prefetchQuery(decisionPageQuery(workspaceId, decisionId));
  },
  component: lazyPage(() => import('./page/decision-page.tsx'), 'DecisionPage'),
});

const editDecisionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/decisions/$decisionId/edit',
  component: forRole(
    'member',
    'editDecision',
    lazyPage(() => import('./form/edit-decision-page.tsx'), 'EditDecisionPage'),
  ),
});

export const decisionRoutes = [decisionListRoute, newDecisionRoute, decisionRoute, editDecisionRoute];

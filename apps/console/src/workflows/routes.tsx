import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { page, workspaceRoute } from '../workspace/routes.tsx';

const WorkflowListPage = lazyPage(() => import('./workflow-list-page.tsx'), 'WorkflowListPage');

const workflowRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workflows/$workflowId',
  validateSearch: ({ node, board }: Record<string, unknown>): { node?: string; board?: true } => ({
    ...(typeof node === 'string' && { node }),
    ...(String(board) === 'true' && { board: true }),
  }),
  component: lazyPage(() => import('./workflow-page.tsx'), 'WorkflowPage'),
});

export const workflowRoutes = [page(workspaceRoute, '/workflows', WorkflowListPage), workflowRoute];

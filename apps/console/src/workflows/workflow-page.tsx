import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { canvasTexts as t } from '../texts/canvas.ts';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { graphRemote } from './graph/graph-remote.ts';
import { WorkflowEditor } from './workflow-editor.tsx';

const route = getRouteApi('/user/w/$workspaceId/workflows/$workflowId');

export function WorkflowPage() {
  const { id: workspaceId } = useWorkspace();
  const { workflowId } = route.useParams();
  const remote = graphRemote(api, { id: workflowId, workspace_id: workspaceId });
  // The editor owns the graph from here on; each visit starts with the server's version.
  const graph = useQuery({
    queryKey: [...queryKeys.workflows(workspaceId), workflowId, 'graph'],
    changesWith: [],
    queryFn: remote.read,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (graph.isSuccess) return <WorkflowEditor key={workflowId} initial={graph.data} />;
  return (
    <Page title={t.title}>
      {graph.isError ? (
        <ProblemAlert error={graph.error} retry={() => void graph.refetch()} />
      ) : (
        <Loading label={t.loading} />
      )}
    </Page>
  );
}

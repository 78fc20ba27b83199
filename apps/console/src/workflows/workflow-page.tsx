import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { canvasTexts as t } from '../texts/canvas.ts';
import { ButtonLink } from '../ui/links.tsx';
import { Loading } from '../ui/loading.tsx';
import { notifyProblem } from '../ui/notify.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { rememberItem } from '../workspace/recent-items.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { Graph } from './graph/graph.ts';
import { graphRemote } from './graph/graph-remote.ts';
import { type RefusedCycle, refusedCycle } from './refused-cycle.ts';
import { useGraphStore } from './use-graph-store.ts';
import { WorkflowBoard } from './workflow-board.tsx';

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

/** An open workflow: its graph with local and remote changes. */
function WorkflowEditor({ initial }: { initial: Graph }) {
  const { id: workspaceId } = useWorkspace();
  const [cycle, setCycle] = useState<RefusedCycle | null>(null);
  const graph = useRef(initial);
  const { store, state, liveness, lost } = useGraphStore(initial, (error, change) => {
    const refused = refusedCycle(error, change, graph.current);
    if (refused) setCycle(refused);
    else notifyProblem(error, change ? { repeat: () => void store.change(change) } : {});
  });
  graph.current = state.graph;
  const { id, title } = state.graph.workflow;
  useEffect(() => {
    const address = `/w/${workspaceId}/workflows/${id}`;
    rememberItem(workspaceId, { id, title, about: 'workflow', address });
  }, [workspaceId, id, title]);

  if (lost) {
    return (
      <Page
        title={initial.workflow.title}
        actions={
          <ButtonLink variant="default" to="/w/$workspaceId/workflows" params={{ workspaceId }}>
            {t.all}
          </ButtonLink>
        }
      >
        <ProblemAlert error={lost} />
      </Page>
    );
  }
  return (
    <ReactFlowProvider>
      <WorkflowBoard store={store} state={state} liveness={liveness} cycle={cycle} setCycle={setCycle} />
    </ReactFlowProvider>
  );
}

import { ApiError, type WorkflowGraph } from '@waymark/contracts';
import type { WorkflowsContext } from '../context.ts';
import { graphView, inWorkflow, type WorkflowRecord } from '../records.ts';

/** Returns a workflow with its graph as of one time. Throws NOT_FOUND when it was deleted meanwhile. */
export function getWorkflowGraph(
  { store }: Pick<WorkflowsContext, 'store'>,
  { id, workspace_id }: Pick<WorkflowRecord, 'id' | 'workspace_id'>,
): Promise<WorkflowGraph> {
  return store.atOneTime(async (session) => {
    const workflow = await store.workflows.inWorkspace(workspace_id, id, session);
    if (!workflow) throw new ApiError('NOT_FOUND');
    const of = inWorkflow(workflow);
    const nodes = await store.nodes.all(of, session);
    return graphView(workflow, { nodes, edges: await store.edges.all(of, session) });
  });
}

import { ApiError } from '@waymark/contracts';
import { JsonParts } from '@waymark/service-kit/http';
import type { WorkflowsContext } from '../context.ts';
import { inWorkflow, type WorkflowRecord, workflowView } from '../records.ts';

/**
 * Returns a workflow with its graph as of one time: the JSON of `graphView`, from stored bytes. Throws
 * NOT_FOUND when the workflow was deleted meanwhile.
 */
export function getWorkflowGraph(
  { store }: Pick<WorkflowsContext, 'store'>,
  { id, workspace_id }: Pick<WorkflowRecord, 'id' | 'workspace_id'>,
): Promise<JsonParts> {
  return store.atOneTime(async (session) => {
    const workflow = await store.workflows.inWorkspace(workspace_id, id, session);
    if (!workflow) throw new ApiError('NOT_FOUND');
    const of = inWorkflow(workflow);
    const head = JSON.stringify(workflowView(workflow)).slice(0, -1);
    const nodes = await store.nodes.allAsJson(of, session);
    const edges = await store.edges.allAsJson(of, session);
    return new JsonParts([`${head},"nodes":`, nodes, ',"edges":', edges, '}'], workflow.version);
  });
}

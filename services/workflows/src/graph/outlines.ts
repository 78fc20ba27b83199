import { limits, type WorkflowOutline } from '@waymark/contracts';
import type { WorkflowsContext } from '../context.ts';
import type { WorkflowRecord } from '../records.ts';

/** Reads the graphs of the small ones of these workflows at once. Returns the outline of each workflow. */
export async function outlinesOf(
  { store }: Pick<WorkflowsContext, 'store'>,
  workspaceId: string,
  workflows: WorkflowRecord[],
): Promise<(workflow: WorkflowRecord) => WorkflowOutline> {
  const ids = workflows.filter(isSmall).map(({ id }) => id);
  const [nodes, edges] = await Promise.all([
    store.nodes.fieldsIn(workspaceId, ids, ['workflow_id', 'position_x', 'position_y']),
    store.edges.fieldsIn(workspaceId, ids, ['workflow_id', 'source_id', 'target_id']),
  ]);
  const nodesOf = Map.groupBy(nodes, ({ workflow_id }) => workflow_id);
  const edgesOf = Map.groupBy(edges, ({ workflow_id }) => workflow_id);
  return (workflow) => {
    const { id, node_count, edge_count } = workflow;
    if (!isSmall(workflow)) return { node_count, edge_count, picture: null };
    const drawn = nodesOf.get(id) ?? [];
    const at = new Map(drawn.map(({ _id }, index) => [_id, index]));
    // A change between the two reads leaves an edge without its node.
    const ends = (edgesOf.get(id) ?? []).flatMap(({ source_id, target_id }) => {
      const [source, target] = [at.get(source_id), at.get(target_id)];
      return source === undefined || target === undefined ? [] : { source, target };
    });
    const positions = drawn.map(({ position_x: x, position_y: y }) => ({ x, y }));
    return { node_count, edge_count, picture: { nodes: positions, edges: ends } };
  };
}

const isSmall = ({ node_count, edge_count }: WorkflowRecord) =>
  node_count <= limits.outlineNodes && edge_count <= 2 * limits.outlineNodes;

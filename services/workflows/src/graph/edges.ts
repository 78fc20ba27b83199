import { ApiError, type Edge, type EdgeCreate, invalid, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import { EDGE_FIELDS, edgeSubject } from '../events.ts';
import { type EdgeRecord, edgeView, inWorkflow, type WorkflowRecord } from '../records.ts';
import { changeGraph } from './change-graph.ts';
import { cycleConflict, duplicate, SELF_LOOP } from './check-graph.ts';
import { shortestPath } from './cycles.ts';

/** Throws VALIDATION_ERROR for a foreign node or a self-loop, CONFLICT for a duplicate or cycle. */
export async function createEdge(
  service: WorkflowsContext,
  ctx: RequestContext,
  found: WorkflowRecord,
  input: EdgeCreate,
): Promise<Edge> {
  const { store } = service;
  const { source_id, target_id, condition } = input;
  await refuseForeignNodes(service, ctx, input);
  return changeGraph(service, ctx, found, async ({ tx, workflow, at, apply }) => {
    const of = inWorkflow(workflow);
    const ends = await store.nodes.pick(of, [source_id, target_id], tx.session);
    const ids = new Set(ends.map(({ id }) => id));
    if (!ids.has(source_id)) throw invalid('sourceId', 'is not a node of this workflow');
    if (!ids.has(target_id)) throw invalid('targetId', 'is not a node of this workflow');
    if (source_id === target_id) throw invalid('targetId', SELF_LOOP);
    if (await store.edges.joins(of, [source_id, target_id], tx.session)) throw duplicate('targetId');
    if (workflow.acyclic) {
      const back = shortestPath(await store.edges.pairs(of, tx.session), target_id, source_id);
      if (back) {
        const cycle = [source_id, ...back];
        throw cycleConflict('targetId', cycle, await store.nodes.pick(of, cycle, tx.session));
      }
    }
    const edge: EdgeRecord = {
      id: newId(),
      ...of,
      source_id,
      target_id,
      condition: condition === null ? null : JSON.stringify(condition),
      created_at: at,
    };
    const next = await apply({ edges: [{ before: null, after: edge }] });
    const data = edgeView(edge);
    const changes = changesBetween(null, data, EDGE_FIELDS);
    tx.emit('edge.created', { subject: edgeSubject(edge, next), data, changes });
    return data;
  });
}

export function deleteEdge(service: WorkflowsContext, ctx: RequestContext, found: EdgeRecord): Promise<void> {
  const { id, workspace_id, workflow_id } = found;
  return changeGraph(service, ctx, { id: workflow_id, workspace_id }, async ({ tx, apply }) => {
    const edge = await service.store.edges.byId(id, tx.session);
    if (!edge) throw new ApiError('NOT_FOUND');
    const next = await apply({ edges: [{ before: edge, after: null }] });
    tx.emit('edge.deleted', {
      subject: edgeSubject(edge, next),
      data: { id, workflow_id },
      changes: changesBetween(edgeView(edge), null, EDGE_FIELDS),
    });
  });
}

/** Throws a refusal when the edge names a node of a workspace that the caller may not read. */
async function refuseForeignNodes(
  { store }: WorkflowsContext,
  ctx: RequestContext,
  { source_id, target_id }: EdgeCreate,
): Promise<void> {
  for (const { workspace_id } of await store.nodes.byIds([source_id, target_id])) {
    if (workspace_id === ctx.access.workspaceId) continue;
    const refusal = await ctx.missing(workspace_id);
    if (refusal.code !== 'NOT_FOUND') throw refusal;
  }
}

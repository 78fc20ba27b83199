import { ApiError, type Edge, type EdgeCreate, invalid, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import { EDGE_FIELDS, edgeSubject } from '../events.ts';
import { type EdgeRecord, edgeView, freeFormBytes, type WorkflowRecord } from '../records.ts';
import type { Store } from '../store/index.ts';
import type { ChangeGraph } from './change-graph.ts';
import { cycleConflict } from './cycle-conflict.ts';
import { shortestPath } from './cycles.ts';

export function createEdges({ store, change }: { store: Store; change: ChangeGraph }) {
  /** Throws the refusal when a node that the edge names belongs to a workspace that the caller may not see. */
  async function refuseForeignNodes(
    ctx: RequestContext,
    { source_id, target_id }: EdgeCreate,
  ): Promise<void> {
    for (const { workspace_id } of await store.nodes.byIds([source_id, target_id])) {
      if (workspace_id === ctx.access.workspaceId) continue;
      const refusal = await ctx.missing(workspace_id);
      if (refusal.code !== 'NOT_FOUND') throw refusal;
    }
  }

  return {
    /** Throws VALIDATION_ERROR for a node outside the workflow, CONFLICT for a self-loop, a duplicate and a cycle. */
    async create(ctx: RequestContext, found: WorkflowRecord, input: EdgeCreate): Promise<Edge> {
      const { source_id, target_id, condition } = input;
      await refuseForeignNodes(ctx, input);
      return change(ctx, found, async ({ tx, workflow, at, advance }) => {
        const of = { workspace_id: workflow.workspace_id, workflow_id: workflow.id };
        const ends = await store.nodes.pick(of, [source_id, target_id], tx.session);
        const titles = new Map(ends.map(({ id, title }) => [id, title]));
        if (!titles.has(source_id)) throw invalid('sourceId', 'is no node of this workflow');
        if (!titles.has(target_id)) throw invalid('targetId', 'is no node of this workflow');
        if (source_id === target_id) throw selfLoop('targetId');
        if (await store.edges.joins(of, [source_id, target_id], tx.session)) throw duplicate('targetId');
        if (workflow.acyclic) {
          const back = shortestPath(await store.edges.pairs(of, tx.session), target_id, source_id);
          if (back) {
            const cycle = [source_id, ...back];
            throw cycleConflict('targetId', cycle, await store.nodes.titles(of, cycle, tx.session));
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
        const next = await advance({ edges: 1, freeFormBytes: freeFormBytes([edge]) });
        await store.edges.apply({ created: [edge], updated: [], deleted: [] }, tx.session);
        const data = edgeView(edge);
        const changes = changesBetween(null, data, EDGE_FIELDS);
        tx.emit('edge.created', { subject: edgeSubject(edge, next), data, changes });
        return data;
      });
    },

    remove(ctx: RequestContext, found: EdgeRecord): Promise<void> {
      const { id, workspace_id, workflow_id } = found;
      return change(ctx, { id: workflow_id, workspace_id }, async ({ tx, advance }) => {
        const edge = await store.edges.byId(id, tx.session);
        if (!edge) throw new ApiError('NOT_FOUND');
        const next = await advance({ edges: -1, freeFormBytes: -freeFormBytes([edge]) });
        await store.edges.apply({ created: [], updated: [], deleted: [edge] }, tx.session);
        tx.emit('edge.deleted', {
          subject: edgeSubject(edge, next),
          data: { id, workflow_id },
          changes: changesBetween(edgeView(edge), null, EDGE_FIELDS),
        });
      });
    },
  };
}

export function selfLoop(path: string): ApiError {
  const message = 'An edge joins two different nodes; this one would join a node to itself.';
  return new ApiError('CONFLICT', { message, issues: [{ path, message: 'is the source itself' }] });
}

export function duplicate(path: string): ApiError {
  const message = 'These two nodes are joined in this direction already.';
  return new ApiError('CONFLICT', {
    message,
    issues: [{ path, message: 'is joined to the source already' }],
  });
}

import { ApiError, type GraphPut, type WorkflowGraph } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { deletion, emitEdges, emitNodes, workflowSubject } from '../events.ts';
import {
  freeFormBytes,
  type Graph,
  type GraphChanges,
  graphView,
  type WorkflowRecord,
  workflowView,
} from '../records.ts';
import type { Store, StoreSession } from '../store/index.ts';
import { type ChangeGraph, requireMatch } from './change-graph.ts';
import { checkAcyclic, checkGraph } from './check-graph.ts';
import { auditedChanges, countsOf, graphDifference } from './graph-difference.ts';

const bytesOf = ({ nodes, edges }: Graph) => freeFormBytes(nodes) + freeFormBytes(edges);

const overwrites = ({ nodes, edges }: GraphChanges) =>
  [nodes, edges].some(({ updated, deleted }) => updated.length + deleted.length > 0);

export function createReplaceGraph({ store, change }: { store: Store; change: ChangeGraph }) {
  /**
   * The first version of each new node; one that was deleted and is put back goes on from there. Throws CONFLICT for an id
   * that another workflow has, or that a workflow of another workspace had.
   */
  async function revive(ids: string[], { workspace_id }: WorkflowRecord, session: StoreSession) {
    const [taken] = await store.nodes.byIds(ids, session);
    const dead = await store.tombstones.byIds(ids, session);
    const foreign = taken ?? dead.find((tombstone) => tombstone.workspace_id !== workspace_id);
    if (foreign) {
      const message = `The node id ${foreign.id} is taken by another workflow; use a new one.`;
      throw new ApiError('CONFLICT', { message, issues: [{ path: 'nodes', message }] });
    }
    const versions = new Map(dead.map(({ id, version }) => [id, version]));
    await store.tombstones.reviveNodes(dead, session);
    return (id: string) => (versions.get(id) ?? 0) + 1;
  }

  /**
   * All or nothing; the graph that is there already changes nothing and leaves no event. Throws PRECONDITION_REQUIRED rather
   * than overwrite what the caller may not know of.
   */
  return async (ctx: RequestContext, found: WorkflowRecord, put: GraphPut): Promise<WorkflowGraph> => {
    checkGraph(put);
    return change(ctx, found, async ({ tx, workflow, at, advance }) => {
      const { session } = tx;
      requireMatch(ctx, workflow);
      if (workflow.acyclic) checkAcyclic(put);
      const of = { workspace_id: workflow.workspace_id, workflow_id: workflow.id };
      const stored = { nodes: await store.nodes.all(of, session), edges: await store.edges.all(of, session) };
      const known = new Set(stored.nodes.map(({ id }) => id));
      const newIds = put.nodes.map(({ id }) => id).filter((id) => !known.has(id));
      const firstVersion = await revive(newIds, workflow, session);
      const { changes, graph } = graphDifference(stored, put, { of, at, firstVersion });
      const audited = auditedChanges(stored, changes);
      if (Object.keys(audited).length === 0) return graphView(workflow, stored);
      if (ctx.ifMatch === undefined && overwrites(changes)) throw new ApiError('PRECONDITION_REQUIRED');

      const nodes = countsOf(changes.nodes);
      const edges = countsOf(changes.edges);
      const next = await advance({
        nodes: nodes.created - nodes.deleted,
        edges: edges.created - edges.deleted,
        freeFormBytes: bytesOf(graph) - bytesOf(stored),
      });
      const dead = changes.nodes.deleted.map((node) => ({ ...node, ...deletion(node) }));
      await store.edges.apply(changes.edges, session);
      await store.nodes.apply(changes.nodes, session);
      await store.tombstones.insert(dead, session);
      tx.emit('workflow.graph_replaced', {
        subject: workflowSubject(next),
        data: { workflow: workflowView(next), nodes, edges },
        changes: audited,
      });
      emitNodes(tx, next, changes.nodes);
      emitEdges(tx, next, changes.edges);
      return graphView(next, graph);
    });
  };
}

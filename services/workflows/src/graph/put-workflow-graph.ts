import { ApiError, type Changes, type GraphPut, type WorkflowGraph } from '@waymark/contracts';
import { externalIdTaken, type RequestContext, requireMatch } from '@waymark/service-kit/http';
import { subjectOf, type Transaction } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import { emitGraphChanges } from '../events.ts';
import {
  edgeView,
  type GraphChanges,
  graphView,
  inWorkflow,
  nodeView,
  type RecordChange,
  sortChanges,
  type WorkflowRecord,
  workflowView,
} from '../records.ts';
import { changeGraph } from './change-graph.ts';
import { checkAcyclic, checkGraph } from './check-graph.ts';
import { graphDifference } from './graph-difference.ts';
import { restoreNodes } from './restore-nodes.ts';

/**
 * Replaces the graph of a workflow, all or nothing; an equal graph makes no version and no event. Throws
 * PRECONDITION_REQUIRED when a request without If-Match would change or delete a record.
 */
export async function putWorkflowGraph(
  service: WorkflowsContext,
  ctx: RequestContext,
  found: WorkflowRecord,
  put: GraphPut,
): Promise<WorkflowGraph> {
  const { store } = service;
  checkGraph(put);
  return changeGraph(service, ctx, found, async ({ tx, workflow, at, apply }) => {
    const { session } = tx;
    requireMatch(ctx, workflow);
    if (workflow.acyclic) checkAcyclic(put);
    const of = inWorkflow(workflow);
    const stored = { nodes: await store.nodes.all(of, session), edges: await store.edges.all(of, session) };
    const known = new Set(stored.nodes.map(({ id }) => id));
    const newIds = put.nodes.map(({ id }) => id).filter((id) => !known.has(id));
    const firstVersion = await restoreNodes(service, workflow, newIds, { path: 'nodes', session });
    const { changes, graph } = graphDifference(stored, put, { of, at, firstVersion });
    const { nodes, edges } = changes;
    if (nodes.length + edges.length === 0) return graphView(workflow, stored);
    const overwrites = [...nodes, ...edges].some(({ before }) => before !== null);
    if (ctx.ifMatch === undefined && overwrites) throw new ApiError('PRECONDITION_REQUIRED');

    await checkExternalIds(service, put, changes, session);
    const next = await apply(changes);
    tx.emit('workflow.graph_replaced', {
      subject: subjectOf('workflow', next),
      data: { workflow: workflowView(next), nodes: countsOf(nodes), edges: countsOf(edges) },
      changes: auditedChanges(changes),
    });
    emitGraphChanges(tx, next, changes);
    return graphView(next, graph);
  });
}

/** Throws CONFLICT for an external id that another node has and keeps, or had before this change. */
async function checkExternalIds(
  { store }: WorkflowsContext,
  put: GraphPut,
  { nodes }: GraphChanges,
  session: Transaction['session'],
): Promise<void> {
  const { deleted } = sortChanges(nodes);
  const added = nodes.flatMap(({ before, after }) =>
    after?.external_id && after.external_id !== before?.external_id ? [after] : [],
  );
  if (added.length === 0) return;
  const isGoing = new Set(deleted.map(({ id }) => id));
  const [first] = added;
  const held = await store.nodes.byExternalIds(
    first!.workspace_id,
    added.map(({ external_id }) => external_id!),
    session,
  );
  const holders = new Map(held.filter(({ id }) => !isGoing.has(id)).map((node) => [node.external_id, node]));
  for (const node of added) {
    const holder = holders.get(node.external_id);
    if (holder) {
      const index = put.nodes.findIndex(({ id }) => id === node.id);
      throw externalIdTaken('node', holder, `nodes.${index}.externalId`);
    }
    holders.set(node.external_id, node);
  }
}

function countsOf(changes: RecordChange<unknown>[]) {
  const { created, updated, deleted } = sortChanges(changes);
  return { created: created.length, updated: updated.length, deleted: deleted.length };
}

function auditedChanges({ nodes, edges }: GraphChanges): Changes {
  return {
    ...(nodes.length > 0 && { nodes: beforeAndAfter(nodes, nodeView) }),
    ...(edges.length > 0 && { edges: beforeAndAfter(edges, edgeView) }),
  };
}

function beforeAndAfter<T, V>(changes: RecordChange<T>[], view: (record: T) => V) {
  const states = (state: 'before' | 'after') =>
    changes.flatMap((change) => (change[state] === null ? [] : view(change[state])));
  return { before: states('before'), after: states('after') };
}

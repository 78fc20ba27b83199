import { ApiError, type Node } from '@waymark/contracts';
import { checkExternalId, type RequestContext, requireRecord } from '@waymark/service-kit/http';
import { changesBetween, subjectOf, trashRoot } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import { emitGraphChanges, emitNodes, lastDeletion, NODE_FIELDS } from '../events.ts';
import {
  created,
  type EdgeRecord,
  inWorkflow,
  type NodeRecord,
  nodeView,
  storedEdge,
  storedNode,
} from '../records.ts';
import { EDGES } from '../store/edges.ts';
import { NODES } from '../store/nodes.ts';
import { changeGraph, type GraphChange } from './change-graph.ts';
import { cycleConflict } from './check-graph.ts';
import { findCycle } from './cycles.ts';
import { restoreNodes } from './restore-nodes.ts';

/**
 * Takes a node out of the trash with its edges to nodes that exist; others come back with their other nodes.
 * Returns a node that exists as it is. Throws CONFLICT while its workflow is deleted, when its external id is
 * taken, or when its edges would close a cycle in an acyclic workflow.
 */
export async function restoreNode(service: WorkflowsContext, ctx: RequestContext, id: string): Promise<Node> {
  const { store } = service;
  const { workspaceId: workspace_id } = ctx.access;
  const root = trashRoot('node', id);
  const existing = async () => nodeView(await requireRecord(ctx, await store.nodes.byId(id)));
  const entry = await store.trash.find(workspace_id, root, ctx.batch?.session);
  if (!entry) return service.commit(ctx, existing);
  const workflow = { id: entry.workflow_id!, workspace_id };
  if (!(await store.workflows.inWorkspace(workspace_id, workflow.id))) throw await workflowGone();
  return changeGraph(service, ctx, workflow, restore);

  async function restore({ tx, workflow, at, apply }: GraphChange): Promise<Node> {
    const { session } = tx;
    const trashed = await store.trash.take(workspace_id, root, session);
    if (!trashed) return existing();
    const versionOf = await restoreNodes(service, workflow, [id], { path: 'id', session });
    const node = { ...storedNode(trashed.documents[NODES]![0]!), version: versionOf(id), updated_at: at };
    const { byExternalId } = store.nodes;
    await checkExternalId('node', byExternalId, { before: null, after: node }, session);
    const edges = await restorableEdges(workflow, node, trashed.documents[EDGES] ?? [], tx);
    const changes = created(edges);
    const next = await apply({ nodes: created([node]), edges: changes });
    const data = nodeView(node);
    const fields = changesBetween(null, data, NODE_FIELDS);
    tx.emit('node.created', { subject: subjectOf('node', node), data, changes: fields });
    emitGraphChanges(tx, next, { nodes: [], edges: changes });
    emitNodes(tx, 'nodes.restored', next, [lastDeletion(node)]);
    return data;
  }

  /** Leaves every other edge to the trash, with the node at its other end. */
  async function restorableEdges(
    workflow: GraphChange['workflow'],
    node: NodeRecord,
    documents: object[],
    { session }: GraphChange['tx'],
  ): Promise<EdgeRecord[]> {
    const of = inWorkflow(workflow);
    const edges = documents.map(storedEdge);
    const otherEnd = ({ source_id, target_id }: EdgeRecord) => (source_id === id ? target_id : source_id);
    const ends = await store.nodes.pick(of, edges.map(otherEnd), session);
    const living = new Set(ends.map((end) => end.id));
    const back = edges.filter((edge) => living.has(otherEnd(edge)));
    const waiting = edges.flatMap((edge, i) =>
      living.has(otherEnd(edge))
        ? []
        : { root: trashRoot('node', otherEnd(edge)), documents: { [EDGES]: [documents[i]!] } },
    );
    await store.trash.add(workspace_id, waiting, service.now(), session);
    if (workflow.acyclic && back.length > 0) {
      const added = back.map(({ source_id, target_id }) => [source_id, target_id] as const);
      const cycle = findCycle([...(await store.edges.pairs(of, session)), ...added]);
      if (cycle) {
        const nodes = [node, ...(await store.nodes.pick(of, cycle, session))];
        // The ids that its issue has are not those of fields.
        throw new ApiError('CONFLICT', { message: cycleConflict('', cycle, nodes).message });
      }
    }
    return back;
  }

  async function workflowGone(): Promise<ApiError> {
    const trashed = await store.trash.find(workspace_id, trashRoot('workflow', workflow.id));
    const message = trashed
      ? `The workflow "${trashed.title}" of this node is deleted. Restore it first.`
      : 'The workflow of this node does not exist any more.';
    return new ApiError('CONFLICT', { message });
  }
}

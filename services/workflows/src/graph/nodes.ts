import { ApiError, type Node, type NodeCreate, type NodeUpdate, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween, type Transaction } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import { deletion, emitGraphChanges, NODE_FIELDS, nodeSubject } from '../events.ts';
import { inWorkflow, type NodeRecord, nodeView, type WorkflowRecord } from '../records.ts';
import { changeGraph, requireMatch } from './change-graph.ts';

const workflowOf = ({ workspace_id, workflow_id }: NodeRecord) => ({ id: workflow_id, workspace_id });

export function createNode(
  service: WorkflowsContext,
  ctx: RequestContext,
  found: WorkflowRecord,
  input: NodeCreate,
): Promise<Node> {
  return changeGraph(service, ctx, found, async ({ tx, at, apply }) => {
    const { workspace_id: _, workflow_id: __, data, ...given } = input;
    const node: NodeRecord = {
      id: newId(),
      ...inWorkflow(found),
      ...given,
      data: JSON.stringify(data),
      created_at: at,
      updated_at: at,
      version: 1,
    };
    await apply({ nodes: [{ before: null, after: node }] });
    const view = nodeView(node);
    const changes = changesBetween(null, view, NODE_FIELDS);
    tx.emit('node.created', { subject: nodeSubject(view), data: view, changes });
    return view;
  });
}

/** Replaces the given fields, `data` as a whole. Makes no version and no event without a change. */
export function updateNode(
  service: WorkflowsContext,
  ctx: RequestContext,
  found: NodeRecord,
  { data, ...given }: NodeUpdate,
): Promise<Node> {
  return changeGraph(service, ctx, workflowOf(found), async ({ tx, at, apply }) => {
    const node = await readAgain(service, found, tx);
    requireMatch(ctx, node);
    const next: NodeRecord = {
      ...node,
      ...definedOf(given),
      ...(data && { data: JSON.stringify(data) }),
      updated_at: at,
      version: node.version + 1,
    };
    const view = nodeView(next);
    const changes = changesBetween(nodeView(node), view, NODE_FIELDS);
    if (Object.keys(changes).length === 0) return nodeView(node);
    await apply({ nodes: [{ before: node, after: next }] });
    tx.emit('node.updated', { subject: nodeSubject(view), data: view, changes });
    return view;
  });
}

/** Deletes the node with its edges. The threads service deletes its thread after the event. */
export function deleteNode(service: WorkflowsContext, ctx: RequestContext, found: NodeRecord): Promise<void> {
  return changeGraph(service, ctx, workflowOf(found), async ({ tx, apply }) => {
    const node = await readAgain(service, found, tx);
    requireMatch(ctx, node);
    const { id, workflow_id } = node;
    const touching = await service.store.edges.touching(node, id, tx.session);
    const edges = touching.map((edge) => ({ before: edge, after: null }));
    const workflow = await apply({ nodes: [{ before: node, after: null }], edges });
    tx.emit('node.deleted', {
      subject: nodeSubject(deletion(node)),
      data: { id, workflow_id },
      changes: changesBetween(nodeView(node), null, NODE_FIELDS),
    });
    emitGraphChanges(tx, workflow, { nodes: [], edges });
  });
}

async function readAgain({ store }: WorkflowsContext, found: NodeRecord, { session }: Transaction) {
  const [node] = await store.nodes.pick(found, [found.id], session);
  if (!node) throw new ApiError('NOT_FOUND');
  return node;
}

/** Removes optional fields that are present but undefined; null is a value. */
function definedOf<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

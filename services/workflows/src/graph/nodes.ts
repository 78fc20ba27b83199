import {
  ApiError,
  invalid,
  type Node,
  NodeCreate,
  type NodePut,
  type NodeUpdate,
  newId,
} from '@waymark/contracts';
import {
  Created,
  checkExternalId,
  type RequestContext,
  requireMatch,
  validate,
} from '@waymark/service-kit/http';
import { changesBetween, subjectOf, type Transaction } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import { deletion, emitGraphChanges, NODE_FIELDS } from '../events.ts';
import { inWorkflow, type NodeRecord, nodeView, type WorkflowRecord } from '../records.ts';
import { changeGraph, type GraphChange } from './change-graph.ts';
import { restoreNodes } from './restore-nodes.ts';

const workflowOf = ({ workspace_id, workflow_id }: NodeRecord) => ({ id: workflow_id, workspace_id });

export function createNode(
  service: WorkflowsContext,
  ctx: RequestContext,
  found: WorkflowRecord,
  input: NodeCreate,
): Promise<Node> {
  return changeGraph(service, ctx, found, (change) => addNode(service, change, input));
}

/** Replaces the given fields, `data` as a whole. Makes no version and no event without a change. */
export function updateNode(
  service: WorkflowsContext,
  ctx: RequestContext,
  found: NodeRecord,
  input: NodeUpdate,
): Promise<Node> {
  return changeGraph(service, ctx, workflowOf(found), async (change) =>
    changeNode(service, ctx, change, await readAgain(service, found, change.tx), input),
  );
}

/** Changes the node with this external id, or adds it to the workflow if the workspace has none. */
export function putNodeByExternalId(
  service: WorkflowsContext,
  ctx: RequestContext,
  workflow: WorkflowRecord,
  external_id: string,
  { workspace_id: _, workflow_id, ...input }: NodePut,
): Promise<Node | Created<Node>> {
  return changeGraph(service, ctx, workflow, async (change) => {
    const { session } = change.tx;
    const node = await service.store.nodes.byExternalId(workflow.workspace_id, external_id, session);
    if (!node) {
      if (ctx.ifMatch !== undefined) throw new ApiError('PRECONDITION_FAILED');
      const given = validate(NodeCreate, { ...input, workflow_id, external_id });
      return new Created(await addNode(service, change, given));
    }
    if (node.workflow_id !== workflow_id) {
      throw invalid('workflowId', `is not the workflow of this node, which is ${node.workflow_id}`);
    }
    if (input.type !== undefined && input.type !== node.type) {
      throw invalid('type', `of this node is ${node.type}, and cannot change`);
    }
    return changeNode(service, ctx, change, node, input);
  });
}

async function addNode(
  service: WorkflowsContext,
  { tx, workflow, at, apply }: GraphChange,
  { workspace_id: _, workflow_id: __, id: givenId, external_id = null, data, ...given }: NodeCreate,
): Promise<Node> {
  const id = givenId ?? newId();
  const restoring = { path: 'id', session: tx.session };
  const version = givenId ? (await restoreNodes(service, workflow, [givenId], restoring))(givenId) : 1;
  const node: NodeRecord = {
    id,
    ...inWorkflow(workflow),
    ...given,
    external_id,
    data: JSON.stringify(data),
    created_at: at,
    updated_at: at,
    version,
  };
  const { byExternalId } = service.store.nodes;
  await checkExternalId('node', byExternalId, { before: null, after: node }, tx.session);
  await apply({ nodes: [{ before: null, after: node }] });
  const view = nodeView(node);
  const changes = changesBetween(null, view, NODE_FIELDS);
  tx.emit('node.created', { subject: subjectOf('node', view), data: view, changes, action: 'node.create' });
  return view;
}

async function changeNode(
  service: WorkflowsContext,
  ctx: RequestContext,
  { tx, at, apply }: GraphChange,
  node: NodeRecord,
  { data, ...given }: NodeUpdate,
): Promise<Node> {
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
  const { byExternalId } = service.store.nodes;
  await checkExternalId('node', byExternalId, { before: node, after: next }, tx.session);
  await apply({ nodes: [{ before: node, after: next }] });
  tx.emit('node.updated', { subject: subjectOf('node', view), data: view, changes });
  return view;
}

/** Moves the node with its edges to the trash. The threads service deletes its thread after the event. */
export function deleteNode(service: WorkflowsContext, ctx: RequestContext, found: NodeRecord): Promise<void> {
  return changeGraph(service, ctx, workflowOf(found), async ({ tx, apply }) => {
    const node = await readAgain(service, found, tx);
    requireMatch(ctx, node);
    const { id, workflow_id } = node;
    const touching = await service.store.edges.touching(node, id, tx.session);
    const edges = touching.map((edge) => ({ before: edge, after: null }));
    const workflow = await apply({ nodes: [{ before: node, after: null }], edges });
    tx.emit('node.deleted', {
      subject: subjectOf('node', deletion(node)),
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

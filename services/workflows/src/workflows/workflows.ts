import { newId, type Workflow, type WorkflowCreate, type WorkflowUpdate } from '@waymark/contracts';
import { type RequestContext, requireMatch } from '@waymark/service-kit/http';
import { changesBetween, subjectOf, toDocument, trashEntry, trashRoot } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import { deletion, emitNodes, WORKFLOW_FIELDS } from '../events.ts';
import { changeGraph } from '../graph/change-graph.ts';
import { cycleConflict } from '../graph/check-graph.ts';
import { findCycle } from '../graph/cycles.ts';
import {
  type EdgeRecord,
  inWorkflow,
  type NodeRecord,
  type WorkflowRecord,
  workflowView,
} from '../records.ts';
import { EDGES } from '../store/edges.ts';
import { NODES } from '../store/nodes.ts';
import { workflowTombstoneId } from '../store/tombstones.ts';
import { WORKFLOWS } from '../store/workflows.ts';

export function createWorkflow(
  { store, commit, now }: WorkflowsContext,
  ctx: RequestContext,
  { title, description, acyclic }: WorkflowCreate,
): Promise<Workflow> {
  return commit(ctx, async (tx) => {
    const at = new Date(now()).toISOString();
    const workflow: WorkflowRecord = {
      id: newId(),
      workspace_id: ctx.access.workspaceId,
      title,
      description,
      acyclic,
      created_by: String(ctx.actor.id),
      created_at: at,
      updated_at: at,
      version: 1,
      revision: 1,
      node_count: 0,
      edge_count: 0,
      free_form_bytes: 0,
    };
    await store.workflows.insert(workflow, tx.session);
    const data = workflowView(workflow);
    const changes = changesBetween(null, data, WORKFLOW_FIELDS);
    tx.emit('workflow.created', { subject: subjectOf('workflow', workflow), data, changes });
    return data;
  });
}

/** Makes no version and no event without a change. Throws CONFLICT when `acyclic` is set despite a cycle. */
export function updateWorkflow(
  service: WorkflowsContext,
  ctx: RequestContext,
  found: WorkflowRecord,
  input: WorkflowUpdate,
): Promise<Workflow> {
  const { store } = service;
  return changeGraph(service, ctx, found, async ({ tx, workflow, apply }) => {
    requireMatch(ctx, workflow);
    const set = {
      title: input.title ?? workflow.title,
      description: input.description ?? workflow.description,
      acyclic: input.acyclic ?? workflow.acyclic,
    };
    const changes = changesBetween(workflow, { ...workflow, ...set }, WORKFLOW_FIELDS);
    if (Object.keys(changes).length === 0) return workflowView(workflow);
    if (set.acyclic && !workflow.acyclic) {
      const of = inWorkflow(workflow);
      const cycle = findCycle(await store.edges.pairs(of, tx.session));
      if (cycle) throw cycleConflict('acyclic', cycle, await store.nodes.pick(of, cycle, tx.session));
    }
    const data = workflowView(await apply({}, set));
    tx.emit('workflow.updated', { subject: subjectOf('workflow', data), data, changes });
    return data;
  });
}

/** Moves the workflow with its graph to the trash. The threads service moves the threads after the event. */
export function deleteWorkflow(service: WorkflowsContext, ctx: RequestContext, found: WorkflowRecord) {
  const { store } = service;
  return changeGraph(service, ctx, found, async ({ tx, workflow, at }) => {
    requireMatch(ctx, workflow);
    const { id, workspace_id, version } = workflow;
    const of = inWorkflow(workflow);
    const nodes = await store.nodes.all(of, tx.session);
    const edges = await store.edges.all(of, tx.session);
    const trashed = {
      root: trashRoot('workflow', id),
      entry: trashEntry('workflow', workflow, { at, by: ctx.actor }),
      documents: {
        [WORKFLOWS]: [toDocument(workflow)],
        [NODES]: nodes.map(toDocument<NodeRecord>),
        [EDGES]: edges.map(toDocument<EdgeRecord>),
      },
    };
    await store.trash.put(workspace_id, [trashed], Date.parse(at), tx.session);
    await store.nodes.removeAll(of, tx.session);
    await store.edges.removeAll(of, tx.session);
    await store.workflows.remove(workflow, tx.session);
    const deleted = [...nodes, { id: workflowTombstoneId(workflow), version }];
    const tombstones = deleted.map((record) => ({ ...deletion(record), workspace_id }));
    await store.tombstones.insert(tombstones, tx.session);
    const last = { ...workflow, version: version + 1 };
    tx.emit('workflow.deleted', {
      subject: subjectOf('workflow', last),
      data: { id },
      changes: changesBetween(workflow, null, WORKFLOW_FIELDS),
    });
    emitNodes(tx, 'nodes.deleted', last, nodes.map(deletion));
  });
}

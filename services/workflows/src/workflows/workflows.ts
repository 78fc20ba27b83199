import { newId, type Workflow, type WorkflowCreate, type WorkflowUpdate } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { type Commit, changesBetween } from '@waymark/service-kit/store';
import { deletion, emitNodes, WORKFLOW_FIELDS, workflowSubject } from '../events.ts';
import { type ChangeGraph, requireMatch } from '../graph/change-graph.ts';
import { cycleConflict } from '../graph/cycle-conflict.ts';
import { findCycle } from '../graph/cycles.ts';
import { type WorkflowRecord, workflowView } from '../records.ts';
import type { Store } from '../store/index.ts';
import { workflowGrave } from '../store/tombstones.ts';

export function createWorkflows(options: {
  store: Store;
  commit: Commit;
  change: ChangeGraph;
  now: () => number;
}) {
  const { store, commit, change, now } = options;

  return {
    create(ctx: RequestContext, { title, description, acyclic }: WorkflowCreate): Promise<Workflow> {
      return commit(ctx, async (tx) => {
        const at = new Date(now()).toISOString();
        const workflow: WorkflowRecord = {
          id: newId(),
          workspace_id: ctx.access.workspaceId,
          title,
          description,
          acyclic,
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
        tx.emit('workflow.created', { subject: workflowSubject(workflow), data, changes });
        return data;
      });
    },

    /** What is given already changes nothing and leaves no event. Throws CONFLICT for a cycle in what becomes acyclic. */
    update(ctx: RequestContext, found: WorkflowRecord, input: WorkflowUpdate): Promise<Workflow> {
      return change(ctx, found, async ({ tx, workflow, advance }) => {
        requireMatch(ctx, workflow);
        const set = {
          title: input.title ?? workflow.title,
          description: input.description ?? workflow.description,
          acyclic: input.acyclic ?? workflow.acyclic,
        };
        const changes = changesBetween(workflow, { ...workflow, ...set }, WORKFLOW_FIELDS);
        if (Object.keys(changes).length === 0) return workflowView(workflow);
        if (set.acyclic && !workflow.acyclic) {
          const of = { workspace_id: workflow.workspace_id, workflow_id: workflow.id };
          const cycle = findCycle(await store.edges.pairs(of, tx.session));
          if (cycle) throw cycleConflict('acyclic', cycle, await store.nodes.titles(of, cycle, tx.session));
        }
        const data = workflowView(await advance({}, set));
        tx.emit('workflow.updated', { subject: workflowSubject(data), data, changes });
        return data;
      });
    },

    /** Deletes the workflow with its graph; its threads follow when their service hears of the nodes. */
    remove(ctx: RequestContext, found: WorkflowRecord): Promise<void> {
      return change(ctx, found, async ({ tx, workflow }) => {
        requireMatch(ctx, workflow);
        const { id, workspace_id, version } = workflow;
        const of = { workspace_id, workflow_id: id };
        const nodes = await store.nodes.versions(of, tx.session);
        await store.nodes.removeAll(of, tx.session);
        await store.edges.removeAll(of, tx.session);
        await store.workflows.remove(workflow, tx.session);
        const graves = [...nodes, { id: workflowGrave(workflow), version }];
        const dead = graves.map((record) => ({ ...deletion(record), workspace_id }));
        await store.tombstones.insert(dead, tx.session);
        const gone = { ...workflow, version: version + 1 };
        tx.emit('workflow.deleted', {
          subject: workflowSubject(gone),
          data: { id },
          changes: changesBetween(workflow, null, WORKFLOW_FIELDS),
        });
        emitNodes(tx, gone, { created: [], updated: [], deleted: nodes });
      });
    },
  };
}

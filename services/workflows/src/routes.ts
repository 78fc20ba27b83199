import { ApiError } from '@waymark/contracts';
import { snapshotExport } from '@waymark/data-transfer';
import { authorizeRecord, type Handlers, type RequestContext } from '@waymark/service-kit/http';
import { workspacePurge } from '@waymark/service-kit/store';
import type { WorkflowsContext } from './context.ts';
import { createEdge, deleteEdge } from './graph/edges.ts';
import { allEdges, allNodes, wholeGraph } from './graph/graph-json.ts';
import { createNode, deleteNode, updateNode } from './graph/nodes.ts';
import { putWorkflowGraph } from './graph/put-workflow-graph.ts';
import { edgeView, inWorkflow, nodeSummary, nodeView, type WorkflowRecord, workflowView } from './records.ts';
import { type GraphSnapshot, ownedCollections } from './store/index.ts';
import { exportSources } from './transfer/export-sources.ts';
import { importWorkflow } from './transfer/import-workflow.ts';
import { createWorkflow, deleteWorkflow, updateWorkflow } from './workflows/workflows.ts';

export function workflowRoutes(service: WorkflowsContext): Handlers<'workflows'> {
  const { store, database } = service;
  const exported = snapshotExport(database, exportSources);
  const { purge } = workspacePurge(database, ownedCollections);

  /** Authorizes the caller for the workflow's workspace and returns the workflow. */
  async function workflowFor(ctx: RequestContext, id: string, named?: string): Promise<WorkflowRecord> {
    return authorizeRecord(ctx, await store.workflows.byId(id), named);
  }

  async function snapshotOf(workflow: WorkflowRecord): Promise<GraphSnapshot> {
    const snapshot = await store.graphSnapshot(workflow);
    if (!snapshot) throw new ApiError('NOT_FOUND');
    return snapshot;
  }

  /** Returns the workflow to a caller who is already authorized for a workspace. */
  async function workflowWithin(ctx: RequestContext, id: string): Promise<WorkflowRecord> {
    const found = await store.workflows.inWorkspace(ctx.access.workspaceId, id);
    if (found) return found;
    throw await ctx.missing((await store.workflows.byId(id))?.workspace_id ?? null);
  }

  return {
    async listWorkflows({ query: { workspace_id, ...page } }) {
      const { items, next_cursor } = await store.workflows.page(workspace_id, page);
      return { data: items.map(workflowView), next_cursor };
    },

    createWorkflow: ({ ctx, body }) => createWorkflow(service, ctx, body),

    async getWorkflow({ ctx, params, query }) {
      return workflowView(await workflowFor(ctx, params.id, query.workspace_id));
    },

    async updateWorkflow({ ctx, params, query, body }) {
      const named = query.workspace_id ?? body.workspace_id;
      return updateWorkflow(service, ctx, await workflowFor(ctx, params.id, named), body);
    },

    async deleteWorkflow({ ctx, params, query }) {
      await deleteWorkflow(service, ctx, await workflowFor(ctx, params.id, query.workspace_id));
      return undefined;
    },

    async getWorkflowGraph({ ctx, params, query }) {
      return wholeGraph(await snapshotOf(await workflowFor(ctx, params.id, query.workspace_id)));
    },

    async putWorkflowGraph({ ctx, params, query, body }) {
      return putWorkflowGraph(service, ctx, await workflowFor(ctx, params.id, query.workspace_id), body);
    },

    async listNodes({ ctx, query: { workflow_id, ...page } }) {
      const workflow = await workflowFor(ctx, workflow_id);
      if (page.limit === undefined && page.cursor === undefined) return allNodes(await snapshotOf(workflow));
      const { items, next_cursor } = await store.nodes.page(inWorkflow(workflow), page);
      return { data: items.map(nodeView), next_cursor };
    },

    async createNode({ ctx, body }) {
      return createNode(service, ctx, await workflowWithin(ctx, body.workflow_id), body);
    },

    async getNode({ ctx, params }) {
      return nodeView(await authorizeRecord(ctx, await store.nodes.byId(params.id)));
    },

    async updateNode({ ctx, params, body }) {
      return updateNode(service, ctx, await authorizeRecord(ctx, await store.nodes.byId(params.id)), body);
    },

    async deleteNode({ ctx, params: { id } }) {
      await deleteNode(service, ctx, await authorizeRecord(ctx, await store.nodes.byId(id)));
      return { id, deleted: true };
    },

    async listEdges({ ctx, query: { workflow_id, ...page } }) {
      const workflow = await workflowFor(ctx, workflow_id);
      if (page.limit === undefined && page.cursor === undefined) return allEdges(await snapshotOf(workflow));
      const { items, next_cursor } = await store.edges.page(inWorkflow(workflow), page);
      return { data: items.map(edgeView), next_cursor };
    },

    async createEdge({ ctx, body }) {
      return createEdge(service, ctx, await workflowFor(ctx, body.workflow_id), body);
    },

    async deleteEdge({ ctx, query: { id } }) {
      await deleteEdge(service, ctx, await authorizeRecord(ctx, await store.edges.byId(id)));
      return { id, deleted: true };
    },

    beginWorkflowsExport: ({ query }) => exported.begin(query.workspace_id),
    readWorkflowsForExport: ({ query }) => exported.read(query),

    importWorkflow: ({ body }) => importWorkflow(service, body),

    purgeWorkflows: ({ params }) => purge(params.id),

    async snapshotWorkflows({ query: { after = '', limit } }) {
      return { data: (await store.workflows.snapshot(after, limit)).map(workflowView) };
    },

    async snapshotNodes({ query: { after = '', limit } }) {
      return { data: (await store.nodes.snapshot(after, limit)).map(nodeSummary) };
    },

    async resolveNode({ params }) {
      const found = await store.nodes.byId(params.id);
      if (!found) return { node: null };
      const { id, workspace_id, workflow_id, version } = found;
      const generation = await store.tombstones.lastDeletion(found);
      return { node: { id, workspace_id, workflow_id, version, generation } };
    },
  };
}

import { invalid } from '@waymark/contracts';
import { snapshotExport } from '@waymark/data-transfer';
import { authorizeRecord, type Bounded, type Handlers, type RequestContext } from '@waymark/service-kit/http';
import { type PageRequest, runBatch, viewPage } from '@waymark/service-kit/store';
import type { WorkflowsContext } from './context.ts';
import { createEdge, deleteEdge } from './graph/edges.ts';
import { getWorkflowGraph } from './graph/get-workflow-graph.ts';
import { createNode, deleteNode, putNodeByExternalId, updateNode } from './graph/nodes.ts';
import { outlinesOf } from './graph/outlines.ts';
import { putWorkflowGraph } from './graph/put-workflow-graph.ts';
import { restoreNode } from './graph/restore-node.ts';
import {
  type EdgeRecord,
  edgeView,
  inWorkflow,
  type NodeRecord,
  nodeSummary,
  nodeView,
  type WorkflowRecord,
  workflowView,
} from './records.ts';
import type { GraphRecordStore } from './store/index.ts';
import { exportSources } from './transfer/export-sources.ts';
import { importWorkflow } from './transfer/import-workflow.ts';
import { restoreWorkflow } from './workflows/restore-workflow.ts';
import { createWorkflow, deleteWorkflow, updateWorkflow } from './workflows/workflows.ts';

const unknownWorkflow = () => invalid('workflowId', 'is not a workflow of this workspace');

export function createRoutes(service: WorkflowsContext): Handlers<'workflows'> {
  const { store } = service;
  const exported = snapshotExport(service.database, exportSources);

  const workflowFor = async (ctx: RequestContext, id: string, named?: string) =>
    authorizeRecord(ctx, await store.workflows.byId(id), named);
  const nodeFor = async (ctx: RequestContext, id: string, named?: string) =>
    authorizeRecord(ctx, await store.nodes.byId(id, ctx.batch?.session), named);

  /** Returns the workflow that a body names, to a caller who is already authorized for a workspace. */
  async function workflowWithin(ctx: RequestContext, id: string): Promise<WorkflowRecord> {
    const found = await store.workflows.inWorkspace(ctx.access.workspaceId, id);
    if (found) return found;
    const refusal = await ctx.missing((await store.workflows.byId(id))?.workspace_id ?? null);
    throw refusal.code === 'NOT_FOUND' ? unknownWorkflow() : refusal;
  }

  /** Lists the nodes or edges of a workflow: all of them, unless the request names a page. */
  async function list<T extends NodeRecord | EdgeRecord, View>(
    records: GraphRecordStore<T>,
    view: (record: T) => View,
    ctx: RequestContext,
    {
      workflow_id,
      workspace_id: named,
      ...page
    }: PageRequest & { workflow_id: string; workspace_id?: string | undefined },
  ) {
    const of = inWorkflow(await workflowFor(ctx, workflow_id, named));
    if (page.limit === undefined && page.cursor === undefined) {
      const all = await store.atOneTime((session) => records.all(of, session));
      return { data: all.map(view), next_cursor: null };
    }
    return viewPage(await records.page(of, page), view);
  }

  const handlers: Handlers<'workflows'> = {
    async listWorkflows({ ctx, query: { workspace_id: _, include, ...page } }) {
      const list = (bounded?: Bounded) =>
        store.workflows.page(ctx.access.workspaceId, { ...page, ...bounded });
      // A text may have to be looked for in all titles.
      const listed = page.text === undefined ? list() : service.scan(ctx, list);
      const { data, next_cursor } = await listed;
      const outlines = include && (await outlinesOf(service, ctx.access.workspaceId, data));
      const shown = data.map((workflow) => ({
        ...workflowView(workflow),
        ...(outlines && { included: { outline: outlines(workflow) } }),
      }));
      return { data: shown, next_cursor };
    },
    createWorkflow: ({ ctx, body }) => createWorkflow(service, ctx, body),
    listTrashedRecords: ({ ctx, query: { kind, ...page } }) => store.trash.list(ctx, kind, page),
    restoreWorkflow: ({ ctx, params }) => restoreWorkflow(service, ctx, params.id),
    getWorkflow: async ({ ctx, params, query }) =>
      workflowView(await workflowFor(ctx, params.id, query.workspace_id)),
    async updateWorkflow({ ctx, params, query, body }) {
      const named = query.workspace_id ?? body.workspace_id;
      return updateWorkflow(service, ctx, await workflowFor(ctx, params.id, named), body);
    },
    deleteWorkflow: async ({ ctx, params, query }) =>
      deleteWorkflow(service, ctx, await workflowFor(ctx, params.id, query.workspace_id)),
    getWorkflowGraph: async ({ ctx, params, query }) =>
      getWorkflowGraph(service, await workflowFor(ctx, params.id, query.workspace_id)),
    putWorkflowGraph: async ({ ctx, params, query, body }) =>
      putWorkflowGraph(service, ctx, await workflowFor(ctx, params.id, query.workspace_id), body),

    listNodes: ({ ctx, query }) => list(store.nodes, nodeView, ctx, query),
    async listAllNodes({ ctx, query: { workspace_id: _, cursor, limit, ...filters } }) {
      const page = { cursor, limit };
      return viewPage(await store.nodes.pageOfWorkspace(ctx.access.workspaceId, page, filters), nodeView);
    },
    createNode: async ({ ctx, body }) =>
      createNode(service, ctx, await workflowWithin(ctx, body.workflow_id), body),
    getNode: async ({ ctx, params, query }) => nodeView(await nodeFor(ctx, params.id, query.workspace_id)),
    async updateNode({ ctx, params, query, body: { workspace_id, ...input } }) {
      const node = await nodeFor(ctx, params.id, query.workspace_id ?? workspace_id);
      return updateNode(service, ctx, node, input);
    },
    async putNodeByExternalId({ ctx, params, body }) {
      const workflow = await workflowWithin(ctx, body.workflow_id);
      return putNodeByExternalId(service, ctx, workflow, params.externalId, body);
    },
    async deleteNode({ ctx, params: { id }, query }) {
      await deleteNode(service, ctx, await nodeFor(ctx, id, query.workspace_id));
      return { id, deleted: true };
    },
    restoreNode: ({ ctx, params }) => restoreNode(service, ctx, params.id),

    listEdges: ({ ctx, query }) => list(store.edges, edgeView, ctx, query),
    listAllEdges: async ({ ctx, query: { workspace_id: _, ...page } }) =>
      viewPage(await store.edges.pageOfWorkspace(ctx.access.workspaceId, page), edgeView),
    async createEdge({ ctx, query, body }) {
      const workflow = await store.workflows.byId(body.workflow_id);
      if (!workflow) throw unknownWorkflow();
      const named = query.workspace_id ?? body.workspace_id;
      return createEdge(service, ctx, await authorizeRecord(ctx, workflow, named), body);
    },
    async deleteEdge({ ctx, query: { id, workspace_id: named } }) {
      const edge = await store.edges.byId(id, ctx.batch?.session);
      await deleteEdge(service, ctx, await authorizeRecord(ctx, edge, named));
      return { id, deleted: true };
    },

    applyGraphBatch: ({ ctx, body }) => runBatch(service.commit, ctx, body, handlers),

    beginWorkflowsExport: ({ query }) => exported.begin(query.workspace_id),
    readWorkflowsForExport: ({ query }) => exported.read(query),
    importWorkflow: ({ body }) => importWorkflow(service, body),
    purgeWorkflows: ({ params }) => service.workspaces.purge(params.id),
    snapshotWorkflows: async ({ query: { after = '', limit } }) => ({
      data: (await store.workflows.snapshot(after, limit)).map(workflowView),
    }),
    snapshotNodes: async ({ query: { after = '', limit } }) => ({
      data: (await store.nodes.snapshot(after, limit)).map(nodeSummary),
    }),
    async resolveWorkflow({ params }) {
      return { workspace_id: (await store.workflows.byId(params.id))?.workspace_id ?? null };
    },
    async resolveNode({ params }) {
      const found = await store.nodes.byId(params.id);
      if (!found) return { node: null };
      const { id, workspace_id, workflow_id, version } = found;
      const generation = await store.tombstones.lastDeletion(found);
      return { node: { id, workspace_id, workflow_id, version, generation } };
    },
  };
  return handlers;
}

import { ApiError, type GraphPut, invalid, limits, type Workflow } from '@waymark/contracts';
import {
  freshRecords,
  type ImportPortion,
  type StoredOrLeftOut,
  type StorePortion,
  takenElsewhere,
} from '@waymark/data-transfer';
import { eventBatches } from '@waymark/service-kit/events';
import type { Database } from '@waymark/service-kit/store';
import { workflowSubject } from '../events.ts';
import { checkAcyclic, checkGraph } from '../graph/check-graph.ts';
import {
  type EdgeRecord,
  freeFormBytes,
  type NodeRecord,
  nodeSummary,
  type WorkflowRecord,
  workflowView,
} from '../records.ts';
import { EDGES } from '../store/edges.ts';
import type { Store, StoreSession } from '../store/index.ts';
import { NODES } from '../store/nodes.ts';
import { workflowGrave } from '../store/tombstones.ts';
import { WORKFLOWS } from '../store/workflows.ts';

interface ImportedGraph extends ImportPortion {
  check_only: boolean;
  workflow: Workflow;
  nodes: NodeRecord[];
  edges: EdgeRecord[];
}

/**
 * Stores a workflow with its graph as it was, all or nothing: a workflow that is there stays as it is, and what it does not
 * have of the graph is left out. Throws what is wrong with it, as a change of the graph would.
 */
export function createImportWorkflow(database: Database, store: Store, storePortion: StorePortion) {
  /** Of the nodes that were deleted before, in this workspace. */
  async function deadAmong(nodes: { id: string }[], workspaceId: string, session: StoreSession) {
    const ids = nodes.map(({ id }) => id);
    const dead = await store.tombstones.byIds(ids, session);
    const foreign = dead.find(({ workspace_id }) => workspace_id !== workspaceId);
    if (foreign) throw takenElsewhere(foreign.id);
    return dead;
  }

  /** Of the workflow itself; under its bare id lies what a process of the version before has buried. */
  async function graveOf({ id }: Workflow, workspace_id: string, session: StoreSession) {
    const found = await store.tombstones.byIds([workflowGrave({ id, workspace_id }), id], session);
    return found.filter((tombstone) => tombstone.workspace_id === workspace_id);
  }

  async function missingOf(graph: ImportedGraph, session: StoreSession): Promise<string[]> {
    const { workspace_id, workflow, nodes, edges } = graph;
    const of = { workspace_id, workflow_id: workflow.id };
    const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);
    const there = new Set([
      ...idsOf(await store.nodes.pick(of, idsOf(nodes), session)),
      ...idsOf(await store.edges.all(of, session)),
    ]);
    return idsOf([...nodes, ...edges]).filter((id) => !there.has(id));
  }

  return (graph: ImportedGraph): Promise<StoredOrLeftOut> => {
    const { workspace_id, workflow } = graph;
    check(graph);
    return storePortion(graph, async (tx) => {
      const { session } = tx;
      const [fresh] = await freshRecords(database, WORKFLOWS, workspace_id, [workflow], session);
      if (!fresh) return { stored: 0, left_out: graph.check_only ? [] : await missingOf(graph, session) };
      const own = <T extends object>(records: T[]) => records.map((record) => ({ ...record, workspace_id }));
      await refuseTaken(NODES, graph.nodes);
      await refuseTaken(EDGES, graph.edges);
      const dead = await deadAmong(graph.nodes, workspace_id, session);
      if (graph.check_only) return { stored: 0, left_out: [] };
      const graves = await graveOf(workflow, workspace_id, session);
      await store.tombstones.remove(graves, session);
      await store.tombstones.reviveNodes(dead, session);
      // Late events of a former life must stay late.
      const versions = new Map(dead.map(({ id, version }) => [id, version + 1]));
      const nodes = own(graph.nodes).map((node) => ({
        ...node,
        version: Math.max(node.version, versions.get(node.id) ?? 1),
      }));
      const edges = own(graph.edges);
      const record: WorkflowRecord = {
        ...workflow,
        workspace_id,
        version: Math.max(workflow.version, ...graves.map(({ version }) => version + 1)),
        revision: 1,
        node_count: nodes.length,
        edge_count: edges.length,
        free_form_bytes: freeFormBytes(nodes) + freeFormBytes(edges),
      };
      await store.workflows.insert(record, session);
      await store.nodes.apply({ created: nodes, updated: [], deleted: [] }, session);
      await store.edges.apply({ created: edges, updated: [], deleted: [] }, session);
      const subject = workflowSubject(record);
      tx.emit('workflow.imported', { subject, data: workflowView(record), action: null });
      for (const batch of eventBatches(nodes.map(nodeSummary))) {
        const data = { workflow_id: record.id, nodes: batch };
        tx.emit('nodes.imported', { subject, data, action: null });
      }
      return { stored: 1, left_out: [] };

      /** A new workflow has new nodes: one that is there belongs to another workflow. */
      async function refuseTaken(collection: string, records: { id: string }[]) {
        const free = await freshRecords(database, collection, workspace_id, records, session);
        if (free.length === records.length) return;
        const known = new Set(free.map(({ id }) => id));
        throw takenElsewhere(records.find(({ id }) => !known.has(id))!.id);
      }
    });
  };
}

function check({ workflow, nodes, edges }: ImportedGraph): void {
  const graph = { nodes, edges } as unknown as GraphPut;
  for (const [max, count, noun] of [
    [limits.nodesPerWorkflow, nodes.length, 'nodes'],
    [limits.edgesPerWorkflow, edges.length, 'edges'],
  ] as const) {
    if (count <= max) continue;
    const message = `A workflow has at most ${max} ${noun}; this one has ${count}.`;
    throw new ApiError('LIMIT_EXCEEDED', { message });
  }
  if (freeFormBytes(nodes) + freeFormBytes(edges) > limits.graphFreeFormBytes) {
    const message = `All data and conditions of a workflow have at most ${limits.graphFreeFormBytes} bytes together.`;
    throw new ApiError('LIMIT_EXCEEDED', { message });
  }
  if ([...nodes, ...edges].some(({ workflow_id }) => workflow_id !== workflow.id)) {
    throw invalid('nodes', 'belong to another workflow');
  }
  checkGraph(graph);
  if (workflow.acyclic) checkAcyclic(graph);
}

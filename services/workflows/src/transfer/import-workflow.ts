import { type GraphPut, invalid, type Workflow } from '@waymark/contracts';
import {
  freshRecords,
  type ImportPortion,
  type StoredOrLeftOut,
  takenElsewhere,
  withFreeExternalIds,
} from '@waymark/data-transfer';
import { subjectOf, type Transaction } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import { emitNodes } from '../events.ts';
import { sizeAfter } from '../graph/change-graph.ts';
import { checkAcyclic, checkGraph } from '../graph/check-graph.ts';
import {
  created,
  type EdgeRecord,
  inWorkflow,
  type NodeRecord,
  nodeSummary,
  type WorkflowRecord,
  workflowView,
} from '../records.ts';
import { EDGES } from '../store/edges.ts';
import { NODES } from '../store/nodes.ts';
import { workflowTombstoneId } from '../store/tombstones.ts';
import { WORKFLOWS } from '../store/workflows.ts';

interface ImportedGraph extends ImportPortion {
  workflow: Workflow;
  nodes: NodeRecord[];
  edges: EdgeRecord[];
}

const EMPTY = { node_count: 0, edge_count: 0, free_form_bytes: 0 };
const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);

/** Stores a workflow with its graph, all or nothing. Leaves an existing workflow and its graph unchanged. */
export function importWorkflow(service: WorkflowsContext, graph: ImportedGraph): Promise<StoredOrLeftOut> {
  const { store, database, storePortion } = service;
  const { workspace_id, workflow } = graph;
  const size = sizeAfter(EMPTY, { nodes: created(graph.nodes), edges: created(graph.edges) });
  checkImported(graph);
  return storePortion(graph, async (tx) => {
    const { session } = tx;
    const [fresh] = await freshRecords(database, WORKFLOWS, workspace_id, [workflow], session);
    if (!fresh) return { stored: 0, left_out: await missingOf(service, graph, session) };
    await refuseTaken(service, NODES, workspace_id, graph.nodes, session);
    await refuseTaken(service, EDGES, workspace_id, graph.edges, session);
    const deletedNodes = await store.tombstones.byIds(idsOf(graph.nodes), session);
    const foreign = deletedNodes.find((tombstone) => tombstone.workspace_id !== workspace_id);
    if (foreign) throw takenElsewhere(foreign.id);
    if (graph.check_only) return { stored: 1, left_out: [] };

    const tombstoneIds = [workflowTombstoneId({ id: workflow.id, workspace_id })];
    const deletedWorkflows = await store.tombstones.byIds(tombstoneIds, session);
    await store.tombstones.remove(deletedWorkflows, session);
    await store.tombstones.restoreNodes(deletedNodes, session);
    await store.trash.discard(workspace_id, 'node', idsOf(deletedNodes), session);
    await store.trash.discard(workspace_id, 'workflow', [workflow.id], session);
    // Events from before the deletion must remain outdated.
    const versions = new Map(deletedNodes.map(({ id, version }) => [id, version + 1]));
    const free = await withFreeExternalIds(database, NODES, workspace_id, graph.nodes, session);
    const nodes = free.records.map((node) => ({
      ...node,
      workspace_id,
      version: Math.max(node.version, versions.get(node.id) ?? 1),
    }));
    const edges = graph.edges.map((edge) => ({ ...edge, workspace_id }));
    const record: WorkflowRecord = {
      ...workflow,
      workspace_id,
      version: Math.max(workflow.version, ...deletedWorkflows.map(({ version }) => version + 1)),
      revision: 1,
      ...size,
    };
    await store.workflows.insert(record, session);
    await store.applyChanges({ nodes: created(nodes), edges: created(edges) }, session);
    const subject = subjectOf('workflow', record);
    tx.emit('workflow.imported', { subject, data: workflowView(record), action: null });
    emitNodes(tx, 'nodes.imported', record, nodes.map(nodeSummary));
    return { stored: 1, left_out: [], unnamed: free.unnamed };
  });
}

async function missingOf(
  { store }: WorkflowsContext,
  { workspace_id, workflow, nodes, edges }: ImportedGraph,
  session: Transaction['session'],
): Promise<string[]> {
  const of = inWorkflow({ id: workflow.id, workspace_id });
  const stored = new Set([
    ...idsOf(await store.nodes.pick(of, idsOf(nodes), session)),
    ...idsOf(await store.edges.all(of, session)),
  ]);
  return idsOf([...nodes, ...edges]).filter((id) => !stored.has(id));
}

/** A new workflow needs new nodes and edges: an existing one belongs to another workflow. */
async function refuseTaken(
  { database }: WorkflowsContext,
  collection: string,
  workspaceId: string,
  records: { id: string }[],
  session: Transaction['session'],
): Promise<void> {
  const free = new Set(idsOf(await freshRecords(database, collection, workspaceId, records, session)));
  const taken = records.find(({ id }) => !free.has(id));
  if (taken) throw takenElsewhere(taken.id);
}

function checkImported({ workflow, nodes, edges }: ImportedGraph): void {
  const graph = { nodes, edges } as unknown as GraphPut;
  if ([...nodes, ...edges].some(({ workflow_id }) => workflow_id !== workflow.id)) {
    throw invalid('nodes', 'belong to another workflow');
  }
  checkGraph(graph);
  if (workflow.acyclic) checkAcyclic(graph);
}

import { ApiError, limits, MEBIBYTE } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import { freeFormBytes, type GraphChanges, type RecordChange, type WorkflowRecord } from '../records.ts';

/** A change inside its transaction. No other change of the workflow can commit before it. */
export interface GraphChange {
  tx: Transaction;
  workflow: WorkflowRecord;
  at: string;
  /** Stores the changes and the workflow's next version, and returns that. Throws LIMIT_EXCEEDED. */
  apply(changes: Partial<GraphChanges>, set?: Partial<WorkflowRecord>): Promise<WorkflowRecord>;
}

/**
 * Runs the only kind of transaction that changes a workflow or its graph. Each writes the document of the
 * workflow, so that what it has checked still holds when it commits. Throws NOT_FOUND for a deleted workflow.
 */
export function changeGraph<T>(
  { store, commit, now }: WorkflowsContext,
  ctx: RequestContext,
  { id, workspace_id }: Pick<WorkflowRecord, 'id' | 'workspace_id'>,
  work: (change: GraphChange) => Promise<T>,
): Promise<T> {
  const change = async (tx: Transaction) => {
    const workflow = await store.workflows.lock(workspace_id, id, tx.session);
    if (!workflow) throw new ApiError('NOT_FOUND');
    const at = new Date(now()).toISOString();
    return work({
      tx,
      workflow,
      at,
      async apply({ nodes = [], edges = [] }, set = {}) {
        const changed = { version: workflow.version + 1, updated_at: at };
        const next = { ...workflow, ...set, ...sizeAfter(workflow, { nodes, edges }), ...changed };
        await store.workflows.replace(next, tx.session);
        await store.applyChanges({ nodes, edges }, tx.session, { at, by: ctx.actor });
        return next;
      },
    });
  };
  return commit(ctx, change, { queueKey: id });
}

type Size = Pick<WorkflowRecord, 'node_count' | 'edge_count' | 'free_form_bytes'>;

/** The size of a workflow after changes. Throws LIMIT_EXCEEDED where one makes it too large. */
export function sizeAfter(workflow: Size, { nodes, edges }: GraphChanges): Size {
  const addedNodes = countAdded(nodes);
  const addedEdges = countAdded(edges);
  const addedBytes = bytesAdded(nodes) + bytesAdded(edges);
  const size = {
    node_count: workflow.node_count + addedNodes,
    edge_count: workflow.edge_count + addedEdges,
    free_form_bytes: workflow.free_form_bytes + addedBytes,
  };
  if (addedNodes > 0 && size.node_count > limits.nodesPerWorkflow) {
    throw exceeded(`A workflow has at most ${limits.nodesPerWorkflow} nodes.`);
  }
  if (addedEdges > 0 && size.edge_count > limits.edgesPerWorkflow) {
    throw exceeded(`A workflow has at most ${limits.edgesPerWorkflow} edges.`);
  }
  if (addedBytes > 0 && size.free_form_bytes > limits.graphFreeFormBytes) {
    const most = limits.graphFreeFormBytes / MEBIBYTE;
    throw exceeded(`All data and conditions of a workflow have at most ${most} MiB together.`);
  }
  return size;
}

const countAdded = (changes: readonly RecordChange<unknown>[]) =>
  changes.filter(({ before }) => !before).length - changes.filter(({ after }) => !after).length;

function bytesAdded(changes: readonly RecordChange<{ data?: string; condition?: string | null }>[]): number {
  const bytesOf = (state: 'before' | 'after') =>
    freeFormBytes(changes.flatMap((change) => change[state] ?? []));
  return bytesOf('after') - bytesOf('before');
}

const exceeded = (message: string) => new ApiError('LIMIT_EXCEEDED', { message });

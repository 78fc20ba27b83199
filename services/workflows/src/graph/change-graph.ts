import { ApiError, limits, MEBIBYTE } from '@waymark/contracts';
import { matches, type RequestContext } from '@waymark/service-kit/http';
import type { Commit, Transaction } from '@waymark/service-kit/store';
import type { WorkflowRecord } from '../records.ts';
import type { Store } from '../store/index.ts';

/** How much a change adds to a workflow; less than nothing takes away. */
interface Growth {
  nodes?: number;
  edges?: number;
  freeFormBytes?: number;
}

/** A change of a workflow or of its graph, in its turn: no other is under way. */
interface GraphChange {
  tx: Transaction;
  /** As it is before the change. */
  workflow: WorkflowRecord;
  /** The moment of the change. */
  at: string;
  /** Stores the workflow's next version. Throws LIMIT_EXCEEDED when it would outgrow a cap. */
  advance(growth: Growth, set?: Partial<WorkflowRecord>): Promise<WorkflowRecord>;
}

export type ChangeGraph = <T>(
  ctx: RequestContext,
  workflow: { id: string; workspace_id: string },
  work: (change: GraphChange) => Promise<T>,
) => Promise<T>;

/**
 * Changes of one workflow take turns over its document, so that what one of them checks (caps, cycles, that both nodes of an
 * edge exist) still holds when it commits. Throws NOT_FOUND when the workflow is gone.
 */
export function graphChanges({
  store,
  commit,
  now,
}: {
  store: Store;
  commit: Commit;
  now: () => number;
}): ChangeGraph {
  return (ctx, { id, workspace_id }, work) =>
    commit(
      ctx,
      async (tx) => {
        const workflow = await store.workflows.take(workspace_id, id, tx.session);
        if (!workflow) throw new ApiError('NOT_FOUND');
        const at = new Date(now()).toISOString();
        return work({
          tx,
          workflow,
          at,
          async advance(growth, set = {}) {
            const next = {
              ...workflow,
              ...set,
              ...grown(workflow, growth),
              version: workflow.version + 1,
              updated_at: at,
            };
            await store.workflows.replace(next, tx.session);
            return next;
          },
        });
      },
      { queueKey: id },
    );
}

function grown(workflow: WorkflowRecord, { nodes = 0, edges = 0, freeFormBytes = 0 }: Growth) {
  const size = {
    node_count: workflow.node_count + nodes,
    edge_count: workflow.edge_count + edges,
    free_form_bytes: workflow.free_form_bytes + freeFormBytes,
  };
  if (nodes > 0 && size.node_count > limits.nodesPerWorkflow) {
    throw outgrown(`A workflow has at most ${limits.nodesPerWorkflow} nodes.`);
  }
  if (edges > 0 && size.edge_count > limits.edgesPerWorkflow) {
    throw outgrown(`A workflow has at most ${limits.edgesPerWorkflow} edges.`);
  }
  if (freeFormBytes > 0 && size.free_form_bytes > limits.graphFreeFormBytes) {
    const most = limits.graphFreeFormBytes / MEBIBYTE;
    throw outgrown(`All data and conditions of a workflow have at most ${most} MiB together.`);
  }
  return size;
}

function outgrown(message: string): ApiError {
  return new ApiError('LIMIT_EXCEEDED', { message });
}

/** Throws PRECONDITION_FAILED when the request names another version in If-Match. */
export function requireMatch(ctx: RequestContext, { version }: { version: number }): void {
  if (ctx.ifMatch !== undefined && !matches(ctx.ifMatch, `"v${version}"`)) {
    throw new ApiError('PRECONDITION_FAILED');
  }
}

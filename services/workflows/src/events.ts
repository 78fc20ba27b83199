import type { EdgeSummary, EventData } from '@waymark/contracts';
import { eventBatches } from '@waymark/service-kit/events';
import { subjectOf, type Transaction } from '@waymark/service-kit/store';
import {
  type EdgeRecord,
  type GraphChanges,
  nodeSummary,
  sortChanges,
  type WorkflowRecord,
} from './records.ts';

export const WORKFLOW_FIELDS = ['title', 'description', 'acyclic'] as const;
export const NODE_FIELDS = [
  'workflow_id',
  'type',
  'title',
  'data',
  'position_x',
  'position_y',
  'status',
  'assigned_to',
  'external_id',
] as const;
export const EDGE_FIELDS = ['workflow_id', 'source_id', 'target_id', 'condition'] as const;

interface Versioned {
  id: string;
  version: number;
}

/** Edges have no versions. The version of their workflow orders their events. */
export const edgeSubject = ({ id }: EdgeRecord, { version }: WorkflowRecord) =>
  subjectOf('edge', { id, version });

const edgeSummary = ({ condition: _, ...summary }: EdgeRecord): EdgeSummary => summary;

/** A deletion has the version after that of the deleted record. */
export const deletion = ({ id, version }: Versioned): Versioned => ({ id, version: version + 1 });

/** The deletion that a restored record follows. */
export const lastDeletion = ({ id, version }: Versioned): Versioned => ({ id, version: version - 1 });

/** Emits the changed records in batches: one event per record would overload the stream and the outbox. */
export function emitGraphChanges(tx: Transaction, workflow: WorkflowRecord, changes: GraphChanges): void {
  const nodes = sortChanges(changes.nodes);
  emitNodes(tx, 'nodes.created', workflow, nodes.created.map(nodeSummary));
  emitNodes(tx, 'nodes.updated', workflow, nodes.updated.map(nodeSummary));
  emitNodes(tx, 'nodes.deleted', workflow, nodes.deleted.map(deletion));
  const edges = sortChanges(changes.edges);
  const deleted = edges.deleted.map(({ id }) => ({ id }));
  emitEdges(tx, 'edges.created', workflow, edges.created.map(edgeSummary));
  emitEdges(tx, 'edges.updated', workflow, edges.updated.map(edgeSummary));
  emitEdges(tx, 'edges.deleted', workflow, deleted);
}

export function emitNodes<
  T extends 'nodes.created' | 'nodes.updated' | 'nodes.deleted' | 'nodes.imported' | 'nodes.restored',
>(tx: Transaction, type: T, workflow: WorkflowRecord, records: EventData<T>['nodes']): void {
  for (const nodes of eventBatches(records)) {
    const data = { workflow_id: workflow.id, nodes } as EventData<T>;
    tx.emit(type, { subject: subjectOf('workflow', workflow), data });
  }
}

function emitEdges<T extends 'edges.created' | 'edges.updated' | 'edges.deleted'>(
  tx: Transaction,
  type: T,
  workflow: WorkflowRecord,
  records: EventData<T>['edges'],
): void {
  for (const edges of eventBatches(records)) {
    const data = { workflow_id: workflow.id, edges } as EventData<T>;
    tx.emit(type, { subject: subjectOf('workflow', workflow), data });
  }
}

import type { EdgeSummary } from '@waymark/contracts';
import { eventBatches } from '@waymark/service-kit/events';
import type { Transaction } from '@waymark/service-kit/store';
import {
  type EdgeRecord,
  type GraphChanges,
  type NodeRecord,
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
] as const;
export const EDGE_FIELDS = ['workflow_id', 'source_id', 'target_id', 'condition'] as const;

interface Versioned {
  id: string;
  version: number;
}

export function workflowSubject({ id, version }: Versioned) {
  return { type: 'workflow', id, version };
}

export function nodeSubject({ id, version }: Versioned) {
  return { type: 'node', id, version };
}

/** Edges have no versions. The version of their workflow orders their events. */
export function edgeSubject({ id }: EdgeRecord, { version }: WorkflowRecord) {
  return { type: 'edge', id, version };
}

const edgeSummary = ({ condition: _, ...summary }: EdgeRecord): EdgeSummary => summary;

/** A deletion has the version after that of the deleted record. */
export function deletion({ id, version }: Versioned): Versioned {
  return { id, version: version + 1 };
}

/**
 * Emits the changes of a graph in batches: one event per record would overload the stream and the outbox when
 * thousands of them change.
 */
export function emitGraphChanges(tx: Transaction, workflow: WorkflowRecord, changes: GraphChanges): void {
  const subject = workflowSubject(workflow);
  const workflow_id = workflow.id;
  const nodes = sortChanges(changes.nodes);
  inBatches(nodes.created.map(nodeSummary), (batch) =>
    tx.emit('nodes.created', { subject, data: { workflow_id, nodes: batch } }),
  );
  inBatches(nodes.updated.map(nodeSummary), (batch) =>
    tx.emit('nodes.updated', { subject, data: { workflow_id, nodes: batch } }),
  );
  emitDeletedNodes(tx, workflow, nodes.deleted);
  const edges = sortChanges(changes.edges);
  inBatches(edges.created.map(edgeSummary), (batch) =>
    tx.emit('edges.created', { subject, data: { workflow_id, edges: batch } }),
  );
  inBatches(edges.updated.map(edgeSummary), (batch) =>
    tx.emit('edges.updated', { subject, data: { workflow_id, edges: batch } }),
  );
  const deleted = edges.deleted.map(({ id }) => ({ id }));
  inBatches(deleted, (batch) => tx.emit('edges.deleted', { subject, data: { workflow_id, edges: batch } }));
}

export function emitDeletedNodes(
  tx: Transaction,
  workflow: WorkflowRecord,
  nodes: readonly Versioned[],
): void {
  const subject = workflowSubject(workflow);
  inBatches(nodes.map(deletion), (batch) =>
    tx.emit('nodes.deleted', { subject, data: { workflow_id: workflow.id, nodes: batch } }),
  );
}

export function emitImportedNodes(
  tx: Transaction,
  workflow: WorkflowRecord,
  nodes: readonly NodeRecord[],
): void {
  const subject = workflowSubject(workflow);
  inBatches(nodes.map(nodeSummary), (batch) =>
    tx.emit('nodes.imported', { subject, data: { workflow_id: workflow.id, nodes: batch }, action: null }),
  );
}

function inBatches<T extends object>(records: T[], emit: (batch: T[]) => void): void {
  for (const batch of eventBatches(records)) emit(batch);
}

import type { EdgeSummary } from '@waymark/contracts';
import { eventBatches } from '@waymark/service-kit/events';
import type { Transaction } from '@waymark/service-kit/store';

import {
  type EdgeRecord,
  type NodeRecord,
  nodeSummary,
  type RecordChanges,
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

export function workflowSubject({ id, version }: { id: string; version: number }) {
  return { type: 'workflow', id, version };
}

export function nodeSubject({ id, version }: { id: string; version: number }) {
  return { type: 'node', id, version };
}

/** Edges count no versions; that of their workflow tells which of two events is the later one. */
export function edgeSubject({ id }: EdgeRecord, { version }: WorkflowRecord) {
  return { type: 'edge', id, version };
}

const edgeSummary = ({ condition: _, ...summary }: EdgeRecord): EdgeSummary => summary;

/** Announces changes of many nodes: a graph of thousands would clog the stream and the outbox with an event for each. */
export function emitNodes(
  tx: Transaction,
  workflow: WorkflowRecord,
  { created, updated, deleted }: RecordChanges<NodeRecord> | DeletedOnly,
): void {
  const subject = workflowSubject(workflow);
  const workflow_id = workflow.id;
  for (const nodes of eventBatches(created.map(nodeSummary))) {
    tx.emit('nodes.created', { subject, data: { workflow_id, nodes } });
  }
  for (const nodes of eventBatches(updated.map(nodeSummary))) {
    tx.emit('nodes.updated', { subject, data: { workflow_id, nodes } });
  }
  for (const nodes of eventBatches(deleted.map(deletion))) {
    tx.emit('nodes.deleted', { subject, data: { workflow_id, nodes } });
  }
}

interface DeletedOnly {
  created: [];
  updated: [];
  deleted: { id: string; version: number }[];
}

/** A deletion is one version later than what was deleted. */
export function deletion<T extends { id: string; version: number }>({ id, version }: T) {
  return { id, version: version + 1 };
}

export function emitEdges(
  tx: Transaction,
  workflow: WorkflowRecord,
  { created, updated, deleted }: RecordChanges<EdgeRecord>,
): void {
  const subject = workflowSubject(workflow);
  const workflow_id = workflow.id;
  for (const edges of eventBatches(created.map(edgeSummary))) {
    tx.emit('edges.created', { subject, data: { workflow_id, edges } });
  }
  for (const edges of eventBatches(updated.map(edgeSummary))) {
    tx.emit('edges.updated', { subject, data: { workflow_id, edges } });
  }
  for (const edges of eventBatches(deleted.map(({ id }) => ({ id })))) {
    tx.emit('edges.deleted', { subject, data: { workflow_id, edges } });
  }
}

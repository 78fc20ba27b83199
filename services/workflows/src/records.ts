import {
  type Edge,
  edgeDefaults,
  type Node,
  type NodeSummary,
  nodeDefaults,
  type Workflow,
  type WorkflowGraph,
  workflowDefaults,
} from '@waymark/contracts';
import { fromDocument, type Stored } from '@waymark/service-kit/store';

/** A stored workflow. Every change of its graph writes it, so that concurrent changes conflict. */
export interface WorkflowRecord extends Workflow {
  /** Increases with every transaction that locks the workflow; `version` increases only with a change. */
  revision: number;
  node_count: number;
  edge_count: number;
  /** Bytes of the data of all its nodes and the conditions of all its edges. */
  free_form_bytes: number;
}

/** Free-form objects are stored as JSON text, so that keys may contain `$` and `.`. */
export type NodeRecord = Omit<Node, 'data'> & { data: string };
export type EdgeRecord = Omit<Edge, 'condition'> & { condition: string | null };

/** The default values of fields that did not exist when a record was stored. */
export const recordDefaults = {
  workflow: workflowDefaults as Partial<WorkflowRecord>,
  node: { ...nodeDefaults, data: '{}' } as Partial<NodeRecord>,
  edge: { ...edgeDefaults, condition: null } as Partial<EdgeRecord>,
};

export const storedWorkflow = (document: object) =>
  fromDocument(document as Stored<WorkflowRecord>, recordDefaults.workflow);
export const storedNode = (document: object) =>
  fromDocument(document as Stored<NodeRecord>, recordDefaults.node);
export const storedEdge = (document: object) =>
  fromDocument(document as Stored<EdgeRecord>, recordDefaults.edge);

export interface Graph {
  nodes: NodeRecord[];
  edges: EdgeRecord[];
}

/** A change of one record: `before` is null for a new record, `after` for a deleted one. */
export interface RecordChange<T> {
  before: T | null;
  after: T | null;
}

export interface GraphChanges {
  nodes: RecordChange<NodeRecord>[];
  edges: RecordChange<EdgeRecord>[];
}

export const created = <T>(records: readonly T[]): RecordChange<T>[] =>
  records.map((after) => ({ before: null, after }));

export function sortChanges<T>(changes: readonly RecordChange<T>[]) {
  return {
    created: changes.flatMap(({ before, after }) => (!before && after ? after : [])),
    updated: changes.flatMap(({ before, after }) => (before && after ? after : [])),
    deleted: changes.flatMap(({ before, after }) => (before && !after ? before : [])),
  };
}

/** Identifies a workflow in the collections of its nodes and edges, whose indexes begin with both fields. */
export interface InWorkflow {
  workspace_id: string;
  workflow_id: string;
}

export const inWorkflow = ({ id, workspace_id }: Pick<Workflow, 'id' | 'workspace_id'>): InWorkflow => ({
  workspace_id,
  workflow_id: id,
});

/** An edge as the ids of its nodes: source, then target. */
export type Pair = readonly [source: string, target: string];

export function workflowView(record: WorkflowRecord): Workflow {
  const { revision: _, node_count: __, edge_count: ___, free_form_bytes: ____, ...visible } = record;
  return visible;
}

export function nodeView(record: NodeRecord): Node {
  return { ...record, data: JSON.parse(record.data) as Node['data'] };
}

export function nodeSummary({ data: _, ...summary }: NodeRecord): NodeSummary {
  return summary;
}

export function edgeView(record: EdgeRecord): Edge {
  return { ...record, condition: record.condition === null ? null : JSON.parse(record.condition) };
}

export function graphView(workflow: WorkflowRecord, { nodes, edges }: Graph): WorkflowGraph {
  return { ...workflowView(workflow), nodes: nodes.map(nodeView), edges: edges.map(edgeView) };
}

export function freeFormBytes(records: readonly { data?: string; condition?: string | null }[]): number {
  return records.reduce((sum, { data, condition }) => sum + Buffer.byteLength(data ?? condition ?? ''), 0);
}

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

/** A workflow as it is stored: the guard of all that belongs to it. */
export interface WorkflowRecord extends Workflow {
  /** Rises whenever a transaction takes its turn; `version` only when something has changed. */
  revision: number;
  node_count: number;
  edge_count: number;
  /** Bytes of all its nodes' data and edges' conditions. */
  free_form_bytes: number;
}

/** Free-form objects are stored as JSON text, so that no key in them can trouble the store. */
export type NodeRecord = Omit<Node, 'data'> & { data: string };
export type EdgeRecord = Omit<Edge, 'condition'> & { condition: string | null };

/** What a record holds in fields that did not exist when it was stored. */
export const recordDefaults = {
  workflow: workflowDefaults as Partial<WorkflowRecord>,
  node: { ...nodeDefaults, data: '{}' } as Partial<NodeRecord>,
  edge: { ...edgeDefaults, condition: null } as Partial<EdgeRecord>,
};

/** How stored nodes and edges become JSON. */
export const nodeRows = { jsonFields: ['data'], defaults: recordDefaults.node };
export const edgeRows = { jsonFields: ['condition'], defaults: recordDefaults.edge };

export interface Graph {
  nodes: NodeRecord[];
  edges: EdgeRecord[];
}

/** What becomes of some records of one workflow. */
export interface RecordChanges<T> {
  created: T[];
  /** In their new state. */
  updated: T[];
  deleted: T[];
}

export interface GraphChanges {
  nodes: RecordChanges<NodeRecord>;
  edges: RecordChanges<EdgeRecord>;
}

export function workflowView(record: WorkflowRecord): Workflow {
  const { revision: _, node_count: __, edge_count: ___, free_form_bytes: ____, ...visible } = record;
  return visible;
}

export function nodeView(record: NodeRecord): Node {
  return { ...record, data: JSON.parse(record.data) as Node['data'] };
}

/** A node without its free-form part. */
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

import type { Schemas } from '@waymark/client/api';

export type WorkflowRecord = Schemas['Workflow'];
export type NodeRecord = Schemas['Node'];
export type EdgeRecord = Schemas['Edge'];
export type NodeType = NodeRecord['type'];
export type NodeStatus = NodeRecord['status'];
export type Condition = EdgeRecord['condition'];

/** The fields of a node that users edit. */
export type NodeFields = Pick<
  NodeRecord,
  'type' | 'title' | 'position_x' | 'position_y' | 'status' | 'assigned_to' | 'external_id' | 'data'
>;

export interface Graph {
  workflow: WorkflowRecord;
  nodes: ReadonlyMap<string, NodeRecord>;
  /** By `edgeKey`: at most one edge per pair of nodes and direction. */
  edges: ReadonlyMap<string, EdgeRecord>;
}

export const edgeKey = ({ source_id, target_id }: Pick<EdgeRecord, 'source_id' | 'target_id'>) =>
  `${source_id}>${target_id}`;

export function graphOf({ nodes, edges, ...workflow }: Schemas['WorkflowGraph']): Graph {
  return {
    workflow,
    nodes: new Map(nodes.map((node) => [node.id, node])),
    edges: new Map(edges.map((edge) => [edgeKey(edge), edge])),
  };
}

export function fieldsOf(node: NodeFields): NodeFields {
  const { type, title, position_x, position_y, status, assigned_to, external_id, data } = node;
  return { type, title, position_x, position_y, status, assigned_to, external_id, data };
}

/** Returns the shortest path from `from` to `to`, both included, or null. */
export function findPath(edges: Iterable<EdgeRecord>, from: string, to: string): string[] | null {
  const targets = new Map<string, string[]>();
  for (const { source_id, target_id } of edges) {
    targets.set(source_id, [...(targets.get(source_id) ?? []), target_id]);
  }
  const cameFrom = new Map<string, string | null>([[from, null]]);
  const queue = [from];
  for (const id of queue) {
    if (id === to) break;
    for (const next of targets.get(id) ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      queue.push(next);
    }
  }
  if (!cameFrom.has(to)) return null;
  const path: string[] = [];
  for (let id: string | null | undefined = to; id != null; id = cameFrom.get(id)) path.unshift(id);
  return path;
}

import { type Changes, type GraphPut, newId } from '@waymark/contracts';
import {
  type EdgeRecord,
  edgeView,
  type Graph,
  type GraphChanges,
  type NodeRecord,
  nodeView,
  type RecordChanges,
} from '../records.ts';
import type { InWorkflow } from '../store/in-workflow.ts';

type PutNode = GraphPut['nodes'][number];
const PUT_FIELDS = ['type', 'title', 'position_x', 'position_y', 'status', 'assigned_to', 'data'] as const;

const pairOf = ({ source_id, target_id }: { source_id: string; target_id: string }) =>
  `${source_id}>${target_id}`;
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/**
 * What turns the stored graph into the one that was put, and that one as records, by id. Nodes keep what they were under the
 * same id, edges under the same two ends; what does not differ stays untouched. `firstVersion` is that of a new node.
 */
export function graphDifference(
  stored: Graph,
  put: GraphPut,
  context: { of: InWorkflow; at: string; firstVersion: (id: string) => number },
): { changes: GraphChanges; graph: Graph } {
  const { of, at, firstVersion } = context;
  const changes: GraphChanges = {
    nodes: { created: [], updated: [], deleted: [] },
    edges: { created: [], updated: [], deleted: [] },
  };

  const oldNodes = new Map(stored.nodes.map((node) => [node.id, node]));
  const nodes = put.nodes.map((given): NodeRecord => {
    const old = oldNodes.get(given.id);
    oldNodes.delete(given.id);
    const fields = fieldsOf(given);
    if (!old) {
      const version = firstVersion(given.id);
      const node = { id: given.id, ...of, ...fields, created_at: at, updated_at: at, version };
      changes.nodes.created.push(node);
      return node;
    }
    if (PUT_FIELDS.every((field) => old[field] === fields[field])) return old;
    const node = { ...old, ...fields, updated_at: at, version: old.version + 1 };
    changes.nodes.updated.push(node);
    return node;
  });
  changes.nodes.deleted.push(...oldNodes.values());

  const oldEdges = new Map(stored.edges.map((edge) => [pairOf(edge), edge]));
  const edges = put.edges.map((given): EdgeRecord => {
    const old = oldEdges.get(pairOf(given));
    oldEdges.delete(pairOf(given));
    const condition = given.condition === null ? null : JSON.stringify(given.condition);
    if (!old) {
      const { source_id, target_id } = given;
      const edge = { id: newId(), ...of, source_id, target_id, condition, created_at: at };
      changes.edges.created.push(edge);
      return edge;
    }
    if (old.condition === condition) return old;
    const edge = { ...old, condition };
    changes.edges.updated.push(edge);
    return edge;
  });
  changes.edges.deleted.push(...oldEdges.values());

  return { changes, graph: { nodes: nodes.sort(byId), edges: edges.sort(byId) } };
}

function fieldsOf({ id: _, data, ...fields }: PutNode): Pick<NodeRecord, (typeof PUT_FIELDS)[number]> {
  return { ...fields, data: JSON.stringify(data) };
}

export function countsOf({ created, updated, deleted }: RecordChanges<unknown>) {
  return { created: created.length, updated: updated.length, deleted: deleted.length };
}

/** Every node and edge that differs, as it was and as it is. */
export function auditedChanges(stored: Graph, { nodes, edges }: GraphChanges): Changes {
  const changes: Changes = {};
  const changedNodes = beforeAndAfter(stored.nodes, nodes);
  const changedEdges = beforeAndAfter(stored.edges, edges);
  if (changedNodes) {
    changes['nodes'] = {
      before: changedNodes.before.map(nodeView),
      after: changedNodes.after.map(nodeView),
    };
  }
  if (changedEdges) {
    changes['edges'] = {
      before: changedEdges.before.map(edgeView),
      after: changedEdges.after.map(edgeView),
    };
  }
  return changes;
}

function beforeAndAfter<T extends { id: string }>(
  stored: readonly T[],
  { created, updated, deleted }: RecordChanges<T>,
): { before: T[]; after: T[] } | null {
  const after = [...created, ...updated];
  const touched = new Set([...updated, ...deleted].map(({ id }) => id));
  if (after.length + touched.size === 0) return null;
  return { before: stored.filter(({ id }) => touched.has(id)), after };
}

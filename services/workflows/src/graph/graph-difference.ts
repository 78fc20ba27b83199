import { type GraphPut, newId } from '@waymark/contracts';
import type { EdgeRecord, Graph, GraphChanges, InWorkflow, NodeRecord, RecordChange } from '../records.ts';

const PUT_FIELDS = [
  'type',
  'title',
  'position_x',
  'position_y',
  'status',
  'assigned_to',
  'external_id',
  'data',
] as const;

const endsOf = ({ source_id, target_id }: Pick<EdgeRecord, 'source_id' | 'target_id'>) =>
  `${source_id}>${target_id}`;
const idOf = ({ id }: { id: string }) => id;
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/**
 * Returns the changes that turn the stored graph into the given one, and the records of the given one, sorted
 * by id. Nodes are identified by id, edges by their two ends; records that do not differ stay as they are.
 */
export function graphDifference(
  stored: Graph,
  put: GraphPut,
  { of, at, firstVersion }: { of: InWorkflow; at: string; firstVersion: (id: string) => number },
): { changes: GraphChanges; graph: Graph } {
  const oldNodes = new Map(stored.nodes.map((node) => [node.id, node]));
  const nodes = put.nodes.map(({ id, data, ...given }): NodeRecord => {
    const old = oldNodes.get(id);
    const external_id = given.external_id === undefined ? (old?.external_id ?? null) : given.external_id;
    const fields = { ...given, external_id, data: JSON.stringify(data) };
    if (!old) return { id, ...of, ...fields, created_at: at, updated_at: at, version: firstVersion(id) };
    const isEqual = PUT_FIELDS.every((field) => old[field] === fields[field]);
    return isEqual ? old : { ...old, ...fields, updated_at: at, version: old.version + 1 };
  });

  const oldEdges = new Map(stored.edges.map((edge) => [endsOf(edge), edge]));
  const edges = put.edges.map(({ source_id, target_id, ...given }): EdgeRecord => {
    const old = oldEdges.get(endsOf({ source_id, target_id }));
    const condition = given.condition === null ? null : JSON.stringify(given.condition);
    if (!old) return { id: newId(), ...of, source_id, target_id, condition, created_at: at };
    return old.condition === condition ? old : { ...old, condition };
  });

  const changes = {
    nodes: changesOf(stored.nodes, nodes, idOf),
    edges: changesOf(stored.edges, edges, endsOf),
  };
  return { changes, graph: { nodes: nodes.sort(byId), edges: edges.sort(byId) } };
}

/** Records that did not change are the same objects in both lists. */
function changesOf<T>(stored: readonly T[], next: readonly T[], keyOf: (record: T) => string) {
  const left = new Map(stored.map((record) => [keyOf(record), record]));
  const changes = next.map((after): RecordChange<T> => {
    const before = left.get(keyOf(after)) ?? null;
    left.delete(keyOf(after));
    return { before, after };
  });
  const deleted = [...left.values()].map((before) => ({ before, after: null }));
  return [...changes.filter(({ before, after }) => before !== after), ...deleted];
}

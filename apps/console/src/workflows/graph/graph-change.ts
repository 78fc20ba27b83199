import { canvasTexts as t } from '../../texts/canvas.ts';
import {
  type Condition,
  type EdgeRecord,
  edgeKey,
  fieldsOf,
  type Graph,
  type NodeFields,
  type NodeRecord,
} from './graph.ts';

/** A node that is created, deleted or updated. */
export type NodeChange =
  | { kind: 'create'; id: string; fields: NodeFields }
  | { kind: 'delete'; id: string; fields: NodeFields }
  | { kind: 'update'; id: string; before: Partial<NodeFields>; after: Partial<NodeFields> };

/** An edge before and after; undefined if it does not exist. */
export interface EdgeChange {
  source_id: string;
  target_id: string;
  before: Condition | undefined;
  after: Condition | undefined;
}

/** One change of a graph, with everything needed to undo it. */
export interface GraphChange {
  /** The label of the Undo button: `move 3 nodes`. */
  label: string;
  nodes: readonly NodeChange[];
  edges: readonly EdgeChange[];
}

export function invert({ label, nodes, edges }: GraphChange): GraphChange {
  return {
    label,
    nodes: nodes.map((change) =>
      change.kind === 'update'
        ? { ...change, before: change.after, after: change.before }
        : { ...change, kind: change.kind === 'create' ? 'delete' : 'create' },
    ),
    edges: edges.map((change) => ({ ...change, before: change.after, after: change.before })),
  };
}

/** Applies a change to a graph; skips records that do not exist. */
export function applyChange(graph: Graph, change: GraphChange): Graph {
  const nodes = new Map(graph.nodes);
  const edges = new Map(graph.edges);
  for (const node of change.nodes) {
    const known = nodes.get(node.id);
    if (node.kind === 'create') nodes.set(node.id, { ...blank(graph), id: node.id, ...node.fields });
    else if (node.kind === 'delete') nodes.delete(node.id);
    else if (known) nodes.set(node.id, { ...known, ...node.after });
  }
  for (const { source_id, target_id, after } of change.edges) {
    const key = edgeKey({ source_id, target_id });
    const known = edges.get(key);
    if (after === undefined) edges.delete(key);
    else edges.set(key, { ...(known ?? blank(graph)), source_id, target_id, condition: after });
  }
  for (const [key, { source_id, target_id }] of edges) {
    if (!nodes.has(source_id) || !nodes.has(target_id)) edges.delete(key);
  }
  return { ...graph, nodes, edges };
}

/** Marks fields that the server has not confirmed. */
function blank({ workflow: { id, workspace_id, created_at } }: Graph) {
  return { id: '', workspace_id, workflow_id: id, created_at, updated_at: created_at, version: 0 };
}

/** Returns the change without records that somebody else has changed since; `left` counts them. */
export function adapt(change: GraphChange, graph: Graph): { change: GraphChange; left: number } {
  let left = 0;
  const stays = () => {
    left += 1;
    return [];
  };
  const nodes = change.nodes.flatMap((node): NodeChange[] => {
    const known = graph.nodes.get(node.id);
    if (node.kind === 'create') return known ? stays() : [node];
    if (!known) return stays();
    if (node.kind === 'delete') {
      const isAsLeft = isSame(fieldsOf(known), node.fields) && !hasOtherEdges(graph, change, node.id);
      return isAsLeft ? [node] : stays();
    }
    const names = Object.keys(node.after) as (keyof NodeFields)[];
    const own = names.filter((name) => isSame(known[name], node.before[name]));
    if (own.length < names.length) left += 1;
    if (own.length === 0) return [];
    return [{ ...node, before: pick(node.before, own), after: pick(node.after, own) }];
  });
  const after = applyChange(graph, { ...change, nodes, edges: [] });
  const edges = change.edges.flatMap((edge): EdgeChange[] => {
    const known = graph.edges.get(edgeKey(edge));
    const hasEnds = after.nodes.has(edge.source_id) && after.nodes.has(edge.target_id);
    if (edge.after !== undefined && !hasEnds) return stays();
    return isSame(known?.condition, edge.before) ? [edge] : stays();
  });
  return { change: { ...change, nodes, edges }, left };
}

/** Returns the change without parts that are already in effect, for example after a lost response. */
export function outstanding(change: GraphChange, graph: Graph): GraphChange {
  const nodes = change.nodes.flatMap((node): NodeChange[] => {
    const known = graph.nodes.get(node.id);
    if (node.kind === 'create') return known && isSame(fieldsOf(known), node.fields) ? [] : [node];
    if (node.kind === 'delete') return known ? [node] : [];
    const names = Object.keys(node.after) as (keyof NodeFields)[];
    const open = names.filter((name) => !known || !isSame(known[name], node.after[name]));
    return open.length === 0 ? [] : [{ ...node, after: pick(node.after, open) }];
  });
  const edges = change.edges.filter((edge) => !isSame(graph.edges.get(edgeKey(edge))?.condition, edge.after));
  return { ...change, nodes, edges };
}

function hasOtherEdges({ edges }: Graph, change: GraphChange, id: string): boolean {
  const own = new Set(change.edges.map(edgeKey));
  return touching(edges.values(), id).some((edge) => !own.has(edgeKey(edge)));
}

export const isEmpty = ({ nodes, edges }: GraphChange) => nodes.length === 0 && edges.length === 0;

/** Whether a change only updates nodes, so that it can be merged into a waiting one. */
export const isUpdate = ({ nodes, edges }: GraphChange) =>
  edges.length === 0 && nodes.every(({ kind }) => kind === 'update');

/** Merges two updates. */
export function merge(first: GraphChange, second: GraphChange): GraphChange {
  const nodes = new Map(first.nodes.map((change) => [change.id, change]));
  for (const change of second.nodes) {
    const earlier = nodes.get(change.id);
    const joined =
      earlier?.kind === 'update' && change.kind === 'update'
        ? {
            ...change,
            before: { ...change.before, ...earlier.before },
            after: { ...earlier.after, ...change.after },
          }
        : change;
    nodes.set(change.id, joined);
  }
  return { ...second, nodes: [...nodes.values()] };
}

/** Returns the change that sets these fields, or null if the node already has them. */
export function updateOf(node: NodeRecord, fields: Partial<NodeFields>): NodeChange | null {
  const names = (Object.keys(fields) as (keyof NodeFields)[]).filter(
    (name) => !isSame(node[name], fields[name]),
  );
  if (names.length === 0) return null;
  return { kind: 'update', id: node.id, before: pick(node, names), after: pick(fields, names) };
}

/** Returns the change that deletes nodes with their edges, and further edges. */
export function removalOf(graph: Graph, ids: readonly string[], keys: readonly string[]): GraphChange {
  const nodes = ids.flatMap((id) => graph.nodes.get(id) ?? []);
  const gone = new Map<string, EdgeRecord>();
  for (const id of ids) for (const edge of touching(graph.edges.values(), id)) gone.set(edgeKey(edge), edge);
  for (const key of keys) {
    const edge = graph.edges.get(key);
    if (edge) gone.set(key, edge);
  }
  return {
    label: nodes.length > 0 ? t.did.nodes('delete', nodes.length) : t.did.disconnect,
    nodes: nodes.map((node) => ({ kind: 'delete', id: node.id, fields: fieldsOf(node) })),
    edges: [...gone.values()].map(({ source_id, target_id, condition }) => ({
      source_id,
      target_id,
      before: condition,
      after: undefined,
    })),
  };
}

function touching(edges: Iterable<EdgeRecord>, id: string): EdgeRecord[] {
  return [...edges].filter(({ source_id, target_id }) => source_id === id || target_id === id);
}

/** Compares JSON values by their text; the server keeps the order of keys. */
export const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}

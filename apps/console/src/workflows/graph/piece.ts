import { canvasTexts as t } from '../../texts/canvas.ts';
import { NODE_TYPES, STATUSES } from '../node-kinds.ts';
import { type Condition, fieldsOf, type Graph, type NodeFields } from './graph.ts';
import type { GraphChange } from './graph-change.ts';

/** Copied nodes, and the edges between them. */
export interface Piece {
  nodes: ({ id: string } & NodeFields)[];
  edges: { source_id: string; target_id: string; condition: Condition }[];
}

export function pieceOf({ nodes, edges }: Graph, ids: readonly string[]): Piece {
  const taken = new Set(ids);
  return {
    nodes: ids.flatMap((id) => {
      const node = nodes.get(id);
      return node ? [{ id, ...fieldsOf(node) }] : [];
    }),
    edges: [...edges.values()]
      .filter(({ source_id, target_id }) => taken.has(source_id) && taken.has(target_id))
      .map(({ source_id, target_id, condition }) => ({ source_id, target_id, condition })),
  };
}

/** Returns the change that adds the piece with new ids, moved by `shift`. */
export function insertionOf(
  act: 'paste' | 'duplicate',
  { nodes, edges }: Piece,
  shift: { x: number; y: number },
  newId: () => string,
): GraphChange {
  const ids = new Map(nodes.map(({ id }) => [id, newId()]));
  return {
    label: t.did.nodes(act, nodes.length),
    nodes: nodes.map(({ id, ...fields }) => ({
      kind: 'create',
      id: ids.get(id)!,
      fields: { ...fields, position_x: fields.position_x + shift.x, position_y: fields.position_y + shift.y },
    })),
    edges: edges.map(({ source_id, target_id, condition }) => ({
      source_id: ids.get(source_id)!,
      target_id: ids.get(target_id)!,
      before: undefined,
      after: condition,
    })),
  };
}

/** Parses a copied piece. Returns null for anything else, because any page can fill the clipboard. */
export function pieceFrom(text: string): Piece | null {
  try {
    const { nodes, edges } = JSON.parse(text) as { nodes: unknown[]; edges: unknown[] };
    if (nodes.length === 0 || !nodes.every(isNode)) return null;
    const ids = new Set(nodes.map(({ id }) => id));
    const isEdge = (edge: unknown): edge is Piece['edges'][number] =>
      isObject(edge) &&
      ids.has(edge['source_id'] as string) &&
      ids.has(edge['target_id'] as string) &&
      (edge['condition'] === null || isObject(edge['condition']));
    return edges.every(isEdge) ? { nodes, edges } : null;
  } catch {
    return null;
  }
}

function isNode(node: unknown): node is Piece['nodes'][number] {
  return (
    isObject(node) &&
    typeof node['id'] === 'string' &&
    typeof node['title'] === 'string' &&
    (NODE_TYPES as unknown[]).includes(node['type']) &&
    (STATUSES as unknown[]).includes(node['status']) &&
    Number.isFinite(node['position_x']) &&
    Number.isFinite(node['position_y']) &&
    (node['assigned_to'] === null || typeof node['assigned_to'] === 'string') &&
    isObject(node['data'])
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

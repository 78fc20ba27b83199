import { ApiError, type GraphPut, type Issue } from '@waymark/contracts';
import { cycleConflict } from './cycle-conflict.ts';
import { findCycle } from './cycles.ts';
import { duplicate, selfLoop } from './edges.ts';

const ISSUES_MAX = 50;

/**
 * Throws what is wrong with a graph in itself: VALIDATION_ERROR for a repeated node id and an edge to a node that is not in
 * it, CONFLICT for a self-loop and a duplicate edge.
 */
export function checkGraph({ nodes, edges }: GraphPut): void {
  const issues: Issue[] = [];
  const ids = new Set<string>();
  for (const [i, { id }] of nodes.entries()) {
    if (ids.has(id)) issues.push({ path: `nodes.${i}.id`, message: 'is the id of an earlier node too' });
    ids.add(id);
  }
  const isNode = (path: string, id: string) => {
    if (!ids.has(id)) issues.push({ path, message: 'is no node of this graph' });
  };
  for (const [i, { source_id, target_id }] of edges.entries()) {
    isNode(`edges.${i}.sourceId`, source_id);
    isNode(`edges.${i}.targetId`, target_id);
  }
  if (issues.length > 0) {
    const shown = issues.slice(0, ISSUES_MAX);
    const message = shown.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
    throw new ApiError('VALIDATION_ERROR', { message, issues: shown });
  }
  const pairs = new Set<string>();
  for (const [i, { source_id, target_id }] of edges.entries()) {
    if (source_id === target_id) throw selfLoop(`edges.${i}.targetId`);
    const pair = `${source_id}>${target_id}`;
    if (pairs.has(pair)) throw duplicate(`edges.${i}.targetId`);
    pairs.add(pair);
  }
}

/** Throws CONFLICT naming a cycle, if there is one. */
export function checkAcyclic({ nodes, edges }: GraphPut): void {
  const cycle = findCycle(edges.map(({ source_id, target_id }) => [source_id, target_id] as const));
  if (cycle) throw cycleConflict('edges', cycle, new Map(nodes.map(({ id, title }) => [id, title])));
}

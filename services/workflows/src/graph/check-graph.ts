import { ApiError, type GraphPut, type Issue } from '@waymark/contracts';
import { cycleText } from '@waymark/service-kit/http';
import { findCycle } from './cycles.ts';

const ISSUES_MAX = 50;
export const SELF_LOOP = 'is the source itself; an edge joins two different nodes';

/** Throws VALIDATION_ERROR for a repeated or unknown node and a self-loop, CONFLICT for a repeated edge. */
export function checkGraph({ nodes, edges }: GraphPut): void {
  const issues: Issue[] = [];
  const ids = new Set<string>();
  for (const [i, { id }] of nodes.entries()) {
    if (ids.has(id)) issues.push({ path: `nodes.${i}.id`, message: 'is also the id of an earlier node' });
    ids.add(id);
  }
  const isNode = (path: string, id: string) => {
    if (!ids.has(id)) issues.push({ path, message: 'is not a node of this graph' });
  };
  for (const [i, { source_id, target_id }] of edges.entries()) {
    isNode(`edges.${i}.sourceId`, source_id);
    isNode(`edges.${i}.targetId`, target_id);
    if (source_id === target_id) issues.push({ path: `edges.${i}.targetId`, message: SELF_LOOP });
  }
  if (issues.length > 0) {
    const shown = issues.slice(0, ISSUES_MAX);
    const message = shown.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
    throw new ApiError('VALIDATION_ERROR', { message, issues: shown });
  }
  const pairs = new Set<string>();
  for (const [i, { source_id, target_id }] of edges.entries()) {
    const pair = `${source_id}>${target_id}`;
    if (pairs.has(pair)) throw duplicate(`edges.${i}.targetId`);
    pairs.add(pair);
  }
}

export function checkAcyclic({ nodes, edges }: GraphPut): void {
  const cycle = findCycle(edges.map(({ source_id, target_id }) => [source_id, target_id] as const));
  if (cycle) throw cycleConflict('edges', cycle, nodes);
}

export function duplicate(path: string): ApiError {
  const message = 'An edge joins these two nodes in this direction already.';
  const issues = [{ path, message: 'is joined to the source already' }];
  return new ApiError('CONFLICT', { message, issues });
}

/** Names the titles of a cycle in the message and its ids in the issue. `cycle` ends with its first node. */
export function cycleConflict(
  path: string,
  cycle: readonly string[],
  nodes: readonly { id: string; title: string }[],
): ApiError {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  const named = cycleText(cycle.map((id) => JSON.stringify(titles.get(id) ?? id)));
  return new ApiError('CONFLICT', {
    message: `An acyclic workflow has no cycle; this change would make one: ${named}`,
    issues: [{ path, message: `leads to a cycle: ${cycleText(cycle)}` }],
  });
}

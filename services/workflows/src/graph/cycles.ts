import type { Pair } from '../records.ts';

function neighbours(edges: Iterable<Pair>): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  for (const [source, target] of edges) {
    const known = targets.get(source);
    if (known) known.push(target);
    else targets.set(source, [target]);
  }
  return targets;
}

/**
 * Returns a shortest path along the edges, including both ends, by breadth-first search; null when there is
 * none.
 */
export function shortestPath(edges: Iterable<Pair>, from: string, to: string): string[] | null {
  const targets = neighbours(edges);
  const cameFrom = new Map<string, string | null>([[from, null]]);
  // The loop also visits the nodes that it appends.
  const queue = [from];
  for (const node of queue) {
    if (node === to) return pathTo(to, cameFrom);
    for (const next of targets.get(node) ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return null;
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const path: string[] = [];
  for (let at: string | null | undefined = end; at != null; at = cameFrom.get(at)) path.push(at);
  return path.reverse();
}

/** Returns a short cycle, its first node repeated at the end; null when there is none. */
export function findCycle(edges: readonly Pair[]): string[] | null {
  const closing = closingEdge(edges);
  if (!closing) return null;
  const [source, target] = closing;
  return [source, ...shortestPath(edges, target, source)!];
}

/**
 * Returns an edge that closes a cycle. Depth-first search (CLRS 20.3: a back edge closes a cycle) with an
 * explicit stack, because a workflow may be 5,000 nodes deep.
 */
function closingEdge(edges: Iterable<Pair>): Pair | null {
  const targets = neighbours(edges);
  const done = new Set<string>();
  for (const root of targets.keys()) {
    if (done.has(root)) continue;
    const path = [root];
    const onPath = new Set(path);
    /** For each node of the path, the index of its next target to visit. */
    const nextTargets = [0];
    while (path.length > 0) {
      const node = path.at(-1)!;
      const position = nextTargets.at(-1)!;
      const next = targets.get(node)?.[position];
      if (next === undefined) {
        path.pop();
        nextTargets.pop();
        onPath.delete(node);
        done.add(node);
        continue;
      }
      nextTargets[nextTargets.length - 1] = position + 1;
      if (onPath.has(next)) return [node, next];
      if (done.has(next)) continue;
      path.push(next);
      onPath.add(next);
      nextTargets.push(0);
    }
  }
  return null;
}

import type { Pair } from '../records.ts';

const edgesBySource = (edges: Iterable<Pair>) => Map.groupBy(edges, ([source]) => source);

/** Returns a shortest path, including both ends, by breadth-first search; null when there is none. */
export function shortestPath(edges: Iterable<Pair>, from: string, to: string): string[] | null {
  const outgoing = edgesBySource(edges);
  const cameFrom = new Map<string, string | null>([[from, null]]);
  // The loop also visits the nodes that it appends.
  const queue = [from];
  for (const node of queue) {
    if (node === to) return pathTo(to, cameFrom);
    for (const [, next] of outgoing.get(node) ?? []) {
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
  const outgoing = edgesBySource(edges);
  const unvisited = new Map([...outgoing].map(([node, pairs]) => [node, pairs.values()]));
  const done = new Set<string>();
  for (const root of outgoing.keys()) {
    const path = [root];
    const onPath = new Set(path);
    for (let node: string | undefined = root; node !== undefined; node = path.at(-1)) {
      const next = unvisited.get(node)?.next().value?.[1];
      if (next === undefined) {
        path.pop();
        onPath.delete(node);
        done.add(node);
      } else if (onPath.has(next)) {
        return [node, next];
      } else if (!done.has(next)) {
        path.push(next);
        onPath.add(next);
      }
    }
  }
  return null;
}

/** An edge as the ids of its nodes, source first. */
export type Pair = readonly [source: string, target: string];

function neighbours(edges: Iterable<Pair>): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  for (const [source, target] of edges) {
    const known = targets.get(source);
    if (known) known.push(target);
    else targets.set(source, [target]);
  }
  return targets;
}

/** A shortest path along the edges, both ends included; null when there is none. Breadth first. */
export function shortestPath(edges: Iterable<Pair>, from: string, to: string): string[] | null {
  const targets = neighbours(edges);
  const cameFrom = new Map<string, string | null>([[from, null]]);
  // A list that grows while it is read is the queue.
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

/** A cycle among the edges, its first node repeated at the end, short if not shortest; null when there is none. */
export function findCycle(edges: readonly Pair[]): string[] | null {
  const closing = closingEdge(edges);
  if (!closing) return null;
  const [source, target] = closing;
  return [source, ...shortestPath(edges, target, source)!];
}

/**
 * An edge that closes a cycle. Depth first with its own stack (CLRS 20.3: a back edge is a cycle), since a workflow may be
 * 5,000 nodes deep.
 */
function closingEdge(edges: Iterable<Pair>): Pair | null {
  const targets = neighbours(edges);
  const done = new Set<string>();
  for (const root of targets.keys()) {
    if (done.has(root)) continue;
    const path = [root];
    const onPath = new Set(path);
    const turns = [0];
    while (path.length > 0) {
      const node = path.at(-1)!;
      const turn = turns.at(-1)!;
      const next = targets.get(node)?.[turn];
      if (next === undefined) {
        path.pop();
        turns.pop();
        onPath.delete(node);
        done.add(node);
        continue;
      }
      turns[turns.length - 1] = turn + 1;
      if (onPath.has(next)) return [node, next];
      if (done.has(next)) continue;
      path.push(next);
      onPath.add(next);
      turns.push(0);
    }
  }
  return null;
}

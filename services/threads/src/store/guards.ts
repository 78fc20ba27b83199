/**
 * Enough guards that concurrent posts on a node seldom conflict, and few enough that a deletion, which locks
 * all, is cheap.
 */
const GUARDS_PER_NODE = 4;

/**
 * The ids of the documents that guard a node. The first has the node's own id and the version of its
 * deletion.
 */
export function allGuards(nodeId: string): string[] {
  return Array.from({ length: GUARDS_PER_NODE }, (_, number) => guardOf(nodeId, number));
}

/** Returns a random guard id of the node, for a post. */
export function anyGuard(nodeId: string): string {
  return guardOf(nodeId, Math.floor(Math.random() * GUARDS_PER_NODE));
}

const guardOf = (nodeId: string, number: number) => (number === 0 ? nodeId : `${nodeId}/${number}`);

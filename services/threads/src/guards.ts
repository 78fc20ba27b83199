/** So many that posts on one node over several replicas seldom meet, so few that a deletion, which takes all, stays cheap. */
const GUARDS_PER_NODE = 4;

/** The ids of the documents that guard a node; the first has the node's own id and tells whether it is deleted. */
export function allGuards(nodeId: string): string[] {
  return Array.from({ length: GUARDS_PER_NODE }, (_, number) => guardOf(nodeId, number));
}

/** One of them for a post, another one each time. */
export function anyGuard(nodeId: string): string {
  return guardOf(nodeId, Math.floor(Math.random() * GUARDS_PER_NODE));
}

const guardOf = (nodeId: string, number: number) => (number === 0 ? nodeId : `${nodeId}/${number}`);

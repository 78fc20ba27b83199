import { hasCode } from '../api/client.ts';
import { problemTexts } from '../texts/problem.ts';
import { findPath, type Graph } from './graph/graph.ts';
import type { GraphChange } from './graph/graph-change.ts';

/** A cycle that an acyclic workflow refused. */
export interface RefusedCycle {
  /** Its nodes, with the first repeated at the end. */
  ids: string[];
  words: string;
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const SHORTENED = /\(\d+ more\)/;

/** Returns the cycle that an error names, or null for other errors. */
export function refusedCycle(error: unknown, change: GraphChange | null, graph: Graph): RefusedCycle | null {
  if (!hasCode(error, 'CONFLICT')) return null;
  const issue = error.issues.find(({ message }) => message.includes('cycle'));
  if (!issue) return null;
  const edge = change?.edges.find(({ after }) => after !== undefined);
  // The response shortens long cycles; find the complete one here.
  const back =
    edge && SHORTENED.test(issue.message)
      ? findPath(graph.edges.values(), edge.target_id, edge.source_id)
      : null;
  const ids = back && edge ? [edge.source_id, ...back] : (issue.message.match(ID) ?? []);
  return { ids, words: problemTexts.ofApi(error.message) };
}

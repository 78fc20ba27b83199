import type { SearchGroup, SearchResult } from '@waymark/contracts';
import { type Found, type FoundPage, NOTHING_FOUND } from './find-hits.ts';

export interface GroupJson {
  /** The group's hits as their list in the answer, in JSON. */
  hits: string;
  /** Where the next page begins; null at the end. */
  next: number | null;
}

/** What was found as it is answered. From a thread to another one text takes one copy, and objects one for each of them. */
export type HitsJson = Record<SearchGroup, GroupJson>;

export function hitsJson({ nodes, decisions, workflows }: Found): HitsJson {
  return {
    nodes: pageText<'nodes'>(nodes),
    decisions: pageText<'decisions'>(decisions),
    workflows: pageText<'workflows'>(workflows),
  };
}

export const NO_HITS_JSON = hitsJson(NOTHING_FOUND);

/** What the item of a record put into `shown` is what its group's hits show. */
function pageText<G extends SearchGroup>({ hits, next }: FoundPage): GroupJson {
  const records = hits.map(({ id, shown, highlights }) => ({ id, ...shown, highlights })) as SearchResult[G];
  return { hits: JSON.stringify(records), next };
}

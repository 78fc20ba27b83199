import type { SearchGroup, SearchResult } from '@waymark/contracts';
import { type Found, type FoundPage, NOTHING_FOUND } from './find-hits.ts';

export interface GroupJson {
  /** The hits of the group as a JSON list. */
  hits: string;
  /** The position where the next page begins; null at the end. */
  next: number | null;
}

/** Hits as they are sent, as JSON text: threads copy a text once, but objects one by one. */
export type HitsJson = Record<SearchGroup, GroupJson>;

export function hitsJson({ nodes, decisions, workflows }: Found): HitsJson {
  return {
    nodes: groupJson<'nodes'>(nodes),
    decisions: groupJson<'decisions'>(decisions),
    workflows: groupJson<'workflows'>(workflows),
  };
}

export const NO_HITS_JSON = hitsJson(NOTHING_FOUND);

/** An item's `shown` holds exactly the fields that its group's hits show. */
function groupJson<G extends SearchGroup>({ hits, next }: FoundPage): GroupJson {
  const records = hits.map(({ id, shown, highlights }) => ({ id, ...shown, highlights })) as SearchResult[G];
  return { hits: JSON.stringify(records), next };
}

import type { SearchGroup } from '@waymark/contracts';
import { type Found, NOTHING_FOUND } from './find-hits.ts';

interface GroupJson {
  /** The hits of the group as a JSON list. */
  hits: string;
  /** The position where the next page begins; null at the end. */
  next: number | null;
}

/** Hits as they are sent, as JSON text: threads copy a text once, but objects one by one. */
export type HitsJson = Record<SearchGroup, GroupJson>;

export function hitsJson(found: Found): HitsJson {
  const groups = Object.entries(found).map(([group, { hits, next }]) => {
    const records = hits.map(({ id, shown, highlights }) => ({ id, ...shown, highlights }));
    return [group, { hits: JSON.stringify(records), next }];
  });
  return Object.fromEntries(groups);
}

export const NO_HITS_JSON = hitsJson(NOTHING_FOUND);

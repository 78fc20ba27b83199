import type { SearchHit } from './search-hit.ts';

const KEPT = 8;
const keyOf = (workspaceId: string) => `waymark.recent.${workspaceId}`;

/**
 * Results opened from the search in this tab, latest first. They are forgotten with the tab, because titles
 * are private.
 */
export function recentHits(workspaceId: string): SearchHit[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(workspaceId)) ?? '[]');
  } catch {
    return [];
  }
}

export function rememberHit(workspaceId: string, hit: SearchHit): void {
  const others = recentHits(workspaceId).filter(({ id }) => id !== hit.id);
  const kept = [{ ...hit, highlights: [] }, ...others].slice(0, KEPT);
  sessionStorage.setItem(keyOf(workspaceId), JSON.stringify(kept));
}

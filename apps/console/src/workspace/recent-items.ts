/** A record that was opened, as lists of recent items show it. */
export interface RecentItem {
  id: string;
  title: string;
  about: string;
  address: string;
}

const KEPT = 8;
const keyOf = (workspaceId: string) => `waymark.recent.${workspaceId}`;

/** Records opened in this tab, latest first. They are forgotten with the tab, because titles are private. */
export function recentItems(workspaceId: string): RecentItem[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(workspaceId)) ?? '[]');
  } catch {
    return [];
  }
}

export function rememberItem(workspaceId: string, { id, title, about, address }: RecentItem): void {
  const others = recentItems(workspaceId).filter((item) => item.id !== id);
  const kept = [{ id, title, about, address }, ...others].slice(0, KEPT);
  sessionStorage.setItem(keyOf(workspaceId), JSON.stringify(kept));
}

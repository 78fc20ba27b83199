const OURS = 'waymark.';

/** Data of the user that this page keeps in memory only. */
export const ofTab = new Map<string, unknown>();

/** Deletes this tab's data of the previous user, such as recent search results. */
export function forgetTab(): void {
  ofTab.clear();
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(OURS)) sessionStorage.removeItem(key);
  }
}

/** Reloads the page for the current user, so that no data of another user remains. */
export function startAnew(): void {
  forgetTab();
  window.location.assign('/');
}

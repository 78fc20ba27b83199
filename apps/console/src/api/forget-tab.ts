/** Data of the user that this page keeps in memory only. */
export const ofTab = new Map<string, unknown>();

/** Deletes this tab's data of the previous user, such as recent search results. */
export function forgetTab(): void {
  ofTab.clear();
  sessionStorage.clear();
}

/** Reloads the page for the current user, so that no data of another user remains. */
export function startAnew(): void {
  forgetTab();
  location.assign('/');
}

const OURS = 'waymark.';

/** Drops what this tab keeps of who was signed in, such as what they opened from the search. */
export function forgetTab(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(OURS)) sessionStorage.removeItem(key);
  }
}

/** Begins again with whoever is signed in by now: nothing of one user's page may stay for another. */
export function startAnew(): void {
  forgetTab();
  window.location.assign('/');
}

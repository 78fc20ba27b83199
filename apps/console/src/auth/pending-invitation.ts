const KEY = 'waymark.invitation';

/** Keeps the token of an invitation in this tab while single sign-on leads elsewhere: no address may carry it. */
export function keepInvitation(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function pendingInvitation(): string | null {
  return sessionStorage.getItem(KEY);
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(KEY);
}

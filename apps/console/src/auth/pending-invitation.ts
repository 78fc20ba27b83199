const KEY = 'waymark.invitation';

/** Keeps an invitation's token in this tab during single sign-on, because no URL may contain it. */
export function keepInvitation(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function pendingInvitation(): string | null {
  return sessionStorage.getItem(KEY);
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(KEY);
}

/** Whether browsers reach the product over TLS, so that its cookies can insist on it. */
export function isSecureUrl(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}

/**
 * The name of the session cookie below `publicUrl`. Over https it has the `__Host-` prefix (RFC 6265bis, 4.1.3.2):
 * no subdomain and no plain-text page can set or replace it.
 */
export function sessionCookieName(publicUrl: string): string {
  return isSecureUrl(publicUrl) ? '__Host-waymark_session' : 'waymark_session';
}

/** The cookie that ties a sign-in under way at an identity provider to the browser that began it. */
export function signInFlowCookieName(publicUrl: string): string {
  return isSecureUrl(publicUrl) ? '__Host-waymark_sign_in' : 'waymark_sign_in';
}

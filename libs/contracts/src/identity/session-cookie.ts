/** Whether browsers reach the product over TLS, so that its cookies can require TLS. */
export function isSecureUrl(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}

/**
 * The name of the session cookie. Over https it has the `__Host-` prefix (RFC 6265bis, 4.1.3.2), so that no
 * subdomain and no plain-text page can set or replace it.
 */
export function sessionCookieName(publicUrl: string): string {
  return isSecureUrl(publicUrl) ? '__Host-waymark_session' : 'waymark_session';
}

/** The cookie that binds a single sign-on in progress to the browser that started it. */
export function signInFlowCookieName(publicUrl: string): string {
  return isSecureUrl(publicUrl) ? '__Host-waymark_sign_in' : 'waymark_sign_in';
}

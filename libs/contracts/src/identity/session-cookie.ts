import { internalHeaders } from '../headers.ts';

/** Whether browsers reach the product over TLS, so that its cookies can require TLS. */
export function isSecureUrl(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}

/** With the `__Host-` prefix (RFC 6265bis, 4.1.3.2), no subdomain and no plain-text page can set a cookie. */
const cookieName = (publicUrl: string, name: string) => (isSecureUrl(publicUrl) ? `__Host-${name}` : name);

export const sessionCookieName = (publicUrl: string) => cookieName(publicUrl, 'waymark_session');

/** The cookie that binds a single sign-on in progress to the browser that started it. */
export const signInFlowCookieName = (publicUrl: string) => cookieName(publicUrl, 'waymark_sign_in');

/** The cookie by which a browser shows that a user signed in there before. */
export const deviceCookieName = (publicUrl: string) => cookieName(publicUrl, 'waymark_device');

/** The cookies that the gateway passes to services, by the header that carries them. */
export const signInCookies = (publicUrl: string): Readonly<Record<string, string>> => ({
  [internalHeaders.signInFlow]: signInFlowCookieName(publicUrl),
  [internalHeaders.device]: deviceCookieName(publicUrl),
  [internalHeaders.session]: sessionCookieName(publicUrl),
});

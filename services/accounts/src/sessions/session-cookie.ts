import { isSecureUrl, sessionCookieName, signInFlowCookieName } from '@waymark/contracts';

/** The Set-Cookie header values that give a browser a cookie and remove it. */
export interface CookieHeader {
  set(token: string): string;
  clear(): string;
}

/** Holds the state of a single sign-on, which lasts at most `maxAgeSeconds`. */
export function createFlowCookie(publicUrl: string, maxAgeSeconds: number): CookieHeader {
  return cookie(signInFlowCookieName(publicUrl), publicUrl, maxAgeSeconds);
}

/** Lives as long as a session can at most; the service decides when the session ends within that time. */
export function createSessionCookie(publicUrl: string, maxAgeSeconds: number): CookieHeader {
  return cookie(sessionCookieName(publicUrl), publicUrl, maxAgeSeconds);
}

function cookie(name: string, publicUrl: string, maxAgeSeconds: number): CookieHeader {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecureUrl(publicUrl) ? '; Secure' : ''}`;
  return {
    set: (token) => `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

import { isSecureUrl, sessionCookieName, signInFlowCookieName } from '@waymark/contracts';

export interface SessionCookie {
  /** The Set-Cookie line that hands a session's token to a browser. */
  set(token: string): string;
  /** The Set-Cookie line that takes it away. */
  clear(): string;
}

/** The cookie of a sign-in under way, for as long as that may take. */
export function createFlowCookie(publicUrl: string, maxAgeSeconds: number): SessionCookie {
  return cookie(signInFlowCookieName(publicUrl), publicUrl, maxAgeSeconds);
}

/** The browser keeps the cookie for as long as a session can live; when it ends within that is decided here. */
export function createSessionCookie(publicUrl: string, maxAgeSeconds: number): SessionCookie {
  return cookie(sessionCookieName(publicUrl), publicUrl, maxAgeSeconds);
}

function cookie(name: string, publicUrl: string, maxAgeSeconds: number): SessionCookie {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecureUrl(publicUrl) ? '; Secure' : ''}`;
  return {
    set: (token) => `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

import { isSecureUrl, sessionCookieName } from '@waymark/contracts';

export interface SessionCookie {
  /** The Set-Cookie line that hands a session's token to a browser. */
  set(token: string): string;
  /** The Set-Cookie line that takes it away. */
  clear(): string;
}

/** The browser keeps the cookie for as long as a session can live; when it ends within that is decided here. */
export function createSessionCookie(publicUrl: string, maxAgeSeconds: number): SessionCookie {
  const name = sessionCookieName(publicUrl);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecureUrl(publicUrl) ? '; Secure' : ''}`;
  return {
    set: (token) => `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

import { isSecureUrl } from '@waymark/contracts';

/** The Set-Cookie header values that give a browser a cookie and remove it. */
export function cookieHeader(name: string, publicUrl: string, maxAgeSeconds: number) {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecureUrl(publicUrl) ? '; Secure' : ''}`;
  return {
    set: (token: string) => `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

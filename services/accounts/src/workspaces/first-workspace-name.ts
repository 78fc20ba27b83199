import type { Language } from '@waymark/contracts';

/** The language of the console that a browser prefers. */
export const preferredLanguage = (acceptLanguage: string | null): Language =>
  /^\s*de\b/i.test(acceptLanguage ?? '') ? 'de' : 'en';

/** Names a user's first workspace in the language that the browser prefers, of those of the console. */
export function firstWorkspaceName(name: string, acceptLanguage: string | null): string {
  if (preferredLanguage(acceptLanguage) !== 'de') return `${name}'s workspace`;
  // German adds an apostrophe alone to a name that ends with an s sound.
  return /[sßxzSXZ]$/.test(name) ? `${name}’ Workspace` : `${name}s Workspace`;
}

/** Names a user's first workspace in the language that the browser prefers, of those of the console. */
export function firstWorkspaceName(name: string, acceptLanguage: string | null): string {
  const isGerman = /^\s*de\b/i.test(acceptLanguage ?? '');
  if (!isGerman) return `${name}'s workspace`;
  // German adds an apostrophe alone to a name that ends with an s sound.
  return /[sßxzSXZ]$/.test(name) ? `${name}’ Workspace` : `${name}s Workspace`;
}

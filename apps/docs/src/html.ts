const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for HTML. */
export const html = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character]!);

/** How a text mentions a member: by the user's id, because names change. */
const MENTION = /@\[([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\]/gi;

/** Shows each mention of a text as `@name`. */
export const withNames = (text: string, nameOf: (userId: string) => string): string =>
  text.replace(MENTION, (_, id: string) => `@${nameOf(id.toLowerCase())}`);

/** Returns the ids of the users whom a text mentions, each once. */
export function mentionsIn(text: string): string[] {
  return [...new Set([...text.matchAll(MENTION)].map((found) => found[1]!.toLowerCase()))];
}

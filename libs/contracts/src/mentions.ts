const MENTION = /@\[([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\]/gi;

/** How a text mentions a member: by the user's id, because names change. */
export const mentionOf = (userId: string) => `@[${userId}]`;

/** Returns the ids of the users whom a text mentions, each once. */
export function mentionsIn(text: string): string[] {
  return [...new Set([...text.matchAll(MENTION)].map((found) => found[1]!.toLowerCase()))];
}

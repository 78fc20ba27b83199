const COOKIE_CHARACTERS_MAX = 2_048;

/** Returns a cookie of a Cookie header; null if it is absent or longer than any cookie of this product. */
export function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    return value.length > 0 && value.length <= COOKIE_CHARACTERS_MAX ? value : null;
  }
  return null;
}

const ASCII_MASK = 0x7f;
/** Odd, so that no two characters become one, and NUL stays what it is. The best of the odd ones for English. */
const FACTOR = 81;
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * The text with its ASCII characters exchanged for each other, for FTS5 alone. It keeps trigrams that wait for a segment by a hash
 * which leaves most of its places empty for letters as they lie together: 3.7 looks for each of a text, and 1.7 with these.
 */
export function spread(text: string): string {
  // Of UTF-8, bytes that are ASCII stand for nothing else.
  const encoding = NOT_ASCII.test(text) ? 'utf8' : 'latin1';
  const bytes = Buffer.from(text, encoding);
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]!;
    if (byte <= ASCII_MASK) bytes[i] = (byte * FACTOR) & ASCII_MASK;
  }
  return bytes.toString(encoding);
}

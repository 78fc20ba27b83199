/** Invisible characters but line breaks and tabs: controls, bidirectional marks, tags, fillers and others. */
const HIDDEN =
  /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800]/gu;

/** Escapes the characters that hide text from people in all strings of JSON data, and in its keys. */
export function visible<T>(data: T): T {
  if (typeof data === 'string') return data.replace(HIDDEN, escaped) as T;
  if (Array.isArray(data)) return data.map(visible) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [visible(key), visible(value)])) as T;
}

const escaped = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;

import { HIDDEN_CHARACTERS } from '@waymark/contracts';

/** Escapes the characters that hide text from people in all strings of JSON data, and in its keys. */
export function visible<T>(data: T): T {
  if (typeof data === 'string') return data.replace(HIDDEN_CHARACTERS, escaped) as T;
  if (Array.isArray(data)) return data.map(visible) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [visible(key), visible(value)])) as T;
}

/** Line breaks and tabs stay. */
const escaped = (character: string) =>
  '\t\n\r'.includes(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`;

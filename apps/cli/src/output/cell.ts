/** Returns a text as one line, so that text of others cannot pretend to be a line of ours. */
export const lineOf = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Returns a value in one line. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '-';
  if (typeof value === 'string') return lineOf(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    return lineOf(value.join(', '));
  return lineOf(JSON.stringify(value));
}

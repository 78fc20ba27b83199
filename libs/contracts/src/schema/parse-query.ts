import { invalid } from '../errors.ts';

/** Throws VALIDATION_ERROR on a repeated parameter or malformed percent-encoding. */
export function parseQuery(search: string): Record<string, string> {
  const parsed = new Map<string, string>();
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const sign = pair.indexOf('=');
    const name = decode(sign < 0 ? pair : pair.slice(0, sign));
    if (parsed.has(name)) throw invalid(name, 'is given more than once; send it once');
    parsed.set(name, sign < 0 ? '' : decode(pair.slice(sign + 1)));
  }
  return Object.fromEntries(parsed);
}

const ENCODED = /[%+]/;

function decode(component: string): string {
  if (!ENCODED.test(component)) return component;
  try {
    return decodeURIComponent(component.replaceAll('+', ' '));
  } catch {
    throw invalid('query', 'has malformed percent-encoding; encode it as UTF-8');
  }
}

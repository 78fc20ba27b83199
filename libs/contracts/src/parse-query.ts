import { ApiError, invalid } from './errors.ts';

/**
 * The parameters of a query string (without "?"), each at most once.
 * Throws VALIDATION_ERROR on a repeated parameter or malformed percent-encoding.
 */
export function parseQuery(search: string): Record<string, string> {
  const parsed: Record<string, string> = Object.create(null);
  if (search === '') return { ...parsed };
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const [rawName = '', ...rest] = pair.split('=');
    const name = decode(rawName);
    if (name in parsed) throw invalid(name, 'is given more than once; send it once');
    parsed[name] = decode(rest.join('='));
  }
  return { ...parsed };
}

function decode(component: string): string {
  try {
    return decodeURIComponent(component.replaceAll('+', ' '));
  } catch {
    throw new ApiError('VALIDATION_ERROR', {
      message: 'The query string has malformed percent-encoding; encode it as UTF-8.',
    });
  }
}

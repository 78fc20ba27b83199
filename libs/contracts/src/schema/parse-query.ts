import { z } from 'zod';
import { invalid } from '../errors.ts';
import { camelCase, recordOf } from './body.ts';

/**
 * Returns the parameters by their names in `schema`, each of which may also be sent in snake_case. A list
 * may repeat its name instead of having commas. Throws VALIDATION_ERROR on another repeated parameter, or on
 * malformed percent-encoding.
 */
export function parseQuery(search: string, schema?: z.ZodType): Record<string, string> {
  if (search.includes('%')) checkEncoding(search);
  const shape = recordOf(schema)?.shape ?? {};
  const parsed = new Map<string, string>();
  // URLSearchParams drops a question mark at the beginning; a second one is part of a name.
  for (const [sent, value] of new URLSearchParams(`?${search}`)) {
    const name = Object.hasOwn(shape, camelCase(sent)) ? camelCase(sent) : sent;
    const earlier = parsed.get(name);
    if (earlier !== undefined && !isList(shape[name])) {
      throw invalid(name, 'is given more than once; send it once');
    }
    parsed.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(parsed);
}

function isList(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return isList(schema.unwrap());
  if (schema instanceof z.ZodPipe) return isList(schema.in) || isList(schema.out);
  return schema instanceof z.ZodArray;
}

/** URLSearchParams would read malformed escapes as other text. */
function checkEncoding(search: string): void {
  try {
    decodeURIComponent(search);
  } catch {
    throw invalid('query', 'has malformed percent-encoding; encode it as UTF-8');
  }
}

import type { Method, Operation } from './operation.ts';

/** `match` for an operation, `allow` when only the method is wrong, null when no path matches. */
type MatchResult =
  | { match: { operation: Operation; params: Record<string, string> } }
  | { allow: Method[] }
  | null;

interface Route {
  operation: Operation;
  segments: string[];
  literals: number;
}

const isParameter = (segment: string) => segment.startsWith('{');

function fits(route: Route, segments: readonly string[]): boolean {
  return route.segments.every((segment, i) =>
    isParameter(segment) ? segments[i] !== '' : segment === segments[i],
  );
}

/** Returns null for malformed percent-encoding, which the gateway refuses. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * Matches paths below the base path; literal segments take precedence over parameters. Throws when two
 * operations have the same method and path, so that the process does not start. Parameters that are text are
 * decoded.
 */
export function operationMatcher(table: readonly Operation[]): (method: string, path: string) => MatchResult {
  const byLength = new Map<string, Route[]>();
  const seen = new Map<string, string>();
  for (const operation of table) {
    const segments = operation.path.slice(1).split('/');
    const shape = `${operation.method} ${segments.map((s) => (isParameter(s) ? '{}' : s)).join('/')}`;
    const twin = seen.get(shape);
    if (twin) throw new Error(`operations ${twin} and ${operation.id} share ${shape}`);
    seen.set(shape, operation.id);
    const bucket = `${segments.length}/${segments[0]}`;
    const literals = segments.filter((s) => !isParameter(s)).length;
    byLength.set(bucket, [...(byLength.get(bucket) ?? []), { operation, segments, literals }]);
  }
  for (const routes of byLength.values()) routes.sort((a, b) => b.literals - a.literals);

  return (method, path) => {
    const segments = path.slice(1).split('/');
    const routes = byLength.get(`${segments.length}/${segments[0]}`) ?? [];
    const fitting = routes.filter((route) => fits(route, segments));
    const best = fitting.filter((route) => route.literals === fitting[0]!.literals);
    if (best.length === 0) return null;
    const hit = best.find((route) => route.operation.method === method);
    if (!hit) return { allow: best.map((route) => route.operation.method) };
    const params: Record<string, string> = {};
    for (const [i, segment] of hit.segments.entries()) {
      if (!isParameter(segment)) continue;
      const name = segment.slice(1, -1);
      const value = hit.operation.params?.[name] ? decoded(segments[i]!) : segments[i]!;
      if (value === null) return null;
      params[name] = value;
    }
    return { match: { operation: hit.operation, params } };
  };
}

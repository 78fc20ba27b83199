import { ApiError } from '@waymark/contracts';

/** A path of 5,000 nodes is too long for a message; both its ends show where to look. */
const SHOWN_AT_EACH_END = 10;

function shown(names: readonly string[]): string {
  const hidden = names.length - 2 * SHOWN_AT_EACH_END;
  if (hidden <= 1) return names.join(' -> ');
  const head = names.slice(0, SHOWN_AT_EACH_END);
  return [...head, `(${hidden} more)`, ...names.slice(-SHOWN_AT_EACH_END)].join(' -> ');
}

/**
 * The refusal of a cycle: with titles in the message, and with ids in the issue at `path`, the field that
 * causes it. `cycle` repeats its first node at the end.
 */
export function cycleConflict(
  path: string,
  cycle: readonly string[],
  titles: ReadonlyMap<string, string>,
): ApiError {
  const named = shown(cycle.map((id) => JSON.stringify(titles.get(id) ?? id)));
  return new ApiError('CONFLICT', {
    message: `An acyclic workflow has no cycle; this change would make one: ${named}`,
    issues: [{ path, message: `leads to a cycle: ${shown(cycle)}` }],
  });
}

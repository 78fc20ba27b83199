import type { Changes, ResourceType } from '@waymark/contracts';

/** Returns the differences in `fields` between two states of a record; null means that it does not exist. */
export function changesBetween<T extends object>(
  before: T | null,
  after: T | null,
  fields: readonly (keyof T & string)[],
): Changes {
  const changes: Changes = {};
  for (const field of fields) {
    const values = { before: before?.[field] ?? null, after: after?.[field] ?? null };
    if (JSON.stringify(values.before) !== JSON.stringify(values.after)) changes[field] = values;
  }
  return changes;
}

/** Names a record in an event about it. */
export const subjectOf = <T extends ResourceType>(
  type: T,
  { id, version }: { id: string; version: number },
) => ({ type, id, version });

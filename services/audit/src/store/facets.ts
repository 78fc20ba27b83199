import type { AuditEntry, AuditFacets } from '@waymark/contracts';

export type CountedFacets = Omit<AuditFacets, 'retention_days'>;

/** Sums the counts of entries by action, type and actor. The first entry of an actor names it. */
export function facetsOf(counted: readonly (AuditEntry & { count: number })[]): CountedFacets {
  const actors = new Map<string, AuditFacets['actors'][number]>();
  for (const { actor, count } of counted) {
    if (actor.id === null) continue;
    const known = actors.get(actor.id) ?? {
      id: actor.id,
      name: actor.name,
      key_prefix: actor.key_prefix,
      count: 0,
    };
    actors.set(actor.id, { ...known, count: known.count + count });
  }
  const sums = (field: 'action' | 'resource_type') => {
    const byValue = new Map<string, number>();
    for (const entry of counted) byValue.set(entry[field], (byValue.get(entry[field]) ?? 0) + entry.count);
    return [...byValue].map(([value, count]) => ({ value, count })).sort(mostFirst);
  };
  return {
    actions: sums('action'),
    resource_types: sums('resource_type'),
    actors: [...actors.values()].sort(mostFirst),
  };
}

const mostFirst = (a: { count: number }, b: { count: number }) => b.count - a.count;

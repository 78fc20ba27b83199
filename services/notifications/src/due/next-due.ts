import type { DueKind, SubjectRecord } from '../records.ts';

type Due = SubjectRecord['due'];
type Dates = Pick<SubjectRecord, 'due' | 'next_due_at'>;

/** Returns the dates that are to be told: those to come, and those that already waited in `before`. */
export function nextDue(before: Due, due: Due, now: string): Dates {
  return datesOf(due, (kind, at) => at > now || at === before[kind]);
}

/** Returns the kinds of the dates that have come, and the dates that are left to tell after them. */
export function takeDue(due: Due, now: string): { kinds: DueKind[]; rest: Dates } {
  const kinds = (Object.keys(due) as DueKind[]).filter((kind) => due[kind]! <= now);
  return { kinds, rest: datesOf(due, (_, at) => at > now) };
}

function datesOf(due: Due, isToTell: (kind: DueKind, at: string) => boolean): Dates {
  const kept = Object.entries(due).filter(([kind, at]) => isToTell(kind as DueKind, at));
  return { due: Object.fromEntries(kept), next_due_at: kept.map(([, at]) => at).sort()[0] ?? null };
}

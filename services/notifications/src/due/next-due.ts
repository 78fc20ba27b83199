import type { DueKind, SubjectRecord } from '../records.ts';

type Dates = Pick<SubjectRecord, 'due' | 'told' | 'next_due_at'>;

/** Returns the new dates of a subject. A date that has passed when it becomes known is not told any more. */
export function nextDue(
  { told, due: before }: Pick<SubjectRecord, 'told' | 'due'>,
  due: SubjectRecord['due'],
  now: string,
): Dates {
  const passed = Object.entries(due).filter(([kind, at]) => at <= now && at !== before[kind as DueKind]);
  const all = { ...told, ...Object.fromEntries(passed) };
  return { due, told: all, next_due_at: firstOf(due, all) };
}

/** The kinds of date that have come and were not told. */
export const cameDue = ({ due, told }: Dates, now: string): DueKind[] =>
  (Object.keys(due) as DueKind[]).filter((kind) => due[kind]! <= now && told[kind] !== due[kind]);

/** Returns the dates after `kinds` were told. */
export function afterTelling({ due, told }: Dates, kinds: readonly DueKind[]): Dates {
  const all = { ...told, ...Object.fromEntries(kinds.map((kind) => [kind, due[kind]!])) };
  return { due, told: all, next_due_at: firstOf(due, all) };
}

function firstOf(due: SubjectRecord['due'], told: SubjectRecord['told']): string | null {
  const open = (Object.keys(due) as DueKind[]).filter((kind) => told[kind] !== due[kind]);
  return open.map((kind) => due[kind]!).sort()[0] ?? null;
}

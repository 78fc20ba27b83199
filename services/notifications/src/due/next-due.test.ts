import { expect, it } from '@jest/globals';
import { nextDue, takeDue } from './next-due.ts';

const NOON = '2026-11-29T12:00:00.000Z';
const AFTER = '2026-11-29T12:00:05.000Z';
const due = { outcome_overdue: NOON };
const known = nextDue({}, due, '2026-11-29T11:00:00.000Z');

it('a date that came before it was told is told also after an edit, and not once it was changed to a past one', () => {
  const edited = nextDue(known.due, due, AFTER);
  expect([takeDue(edited.due, AFTER).kinds, edited.next_due_at]).toEqual([['outcome_overdue'], NOON]);
  const moved = nextDue(known.due, { outcome_overdue: '2026-11-29T11:59:00.000Z' }, AFTER);
  expect([takeDue(moved.due, AFTER).kinds, moved.next_due_at]).toEqual([[], null]);
});

it('a date that was told is not told again after an edit', () => {
  const { kinds, rest } = takeDue(known.due, AFTER);
  expect([kinds, rest.next_due_at]).toEqual([['outcome_overdue'], null]);
  expect(nextDue(rest.due, due, AFTER)).toEqual({ due: {}, next_due_at: null });
});

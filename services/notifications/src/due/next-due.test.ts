import { expect, it } from '@jest/globals';
import { cameDue, nextDue } from './next-due.ts';

const NOON = '2026-11-29T12:00:00.000Z';
const AFTER = '2026-11-29T12:00:05.000Z';
const due = { outcome_overdue: NOON };

it('a date that came before it was told is told also after an edit, and not once it was changed to a past one', () => {
  const known = nextDue({ due: {}, told: {} }, due, '2026-11-29T11:00:00.000Z');
  const edited = nextDue(known, due, AFTER);
  expect([cameDue(edited, AFTER), edited.next_due_at]).toEqual([['outcome_overdue'], NOON]);
  const moved = nextDue(known, { outcome_overdue: '2026-11-29T11:59:00.000Z' }, AFTER);
  expect([cameDue(moved, AFTER), moved.next_due_at]).toEqual([[], null]);
});

import { expect, it } from '@jest/globals';
import { monthsAfter } from './review-dates.ts';

it.each([
  ['2026-01-15T08:00:00Z', 1, '2026-02-15T23:59:59.999Z'],
  ['2026-01-31T23:00:00Z', 1, '2026-02-28T23:59:59.999Z'],
  ['2027-12-31T00:00:00Z', 2, '2028-02-29T23:59:59.999Z'],
  ['2026-11-30T00:00:00Z', 60, '2031-11-30T23:59:59.999Z'],
])('is due after %s and %i months at %s', (now, months, due) => {
  expect(monthsAfter(Date.parse(now), months)).toBe(due);
});

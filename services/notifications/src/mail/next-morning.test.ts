import { expect, it } from '@jest/globals';
import { nextMorning } from './next-morning.ts';

it.each([
  [null, '2026-11-29T07:59:59.000Z', '2026-11-29T08:00:00.000Z'],
  ['UTC', '2026-11-29T08:00:00.000Z', '2026-11-30T08:00:00.000Z'],
  ['Europe/Berlin', '2026-11-29T06:00:00.000Z', '2026-11-29T07:00:00.000Z'],
  // The clocks change in the night before: a day of 23 hours, and one of 25.
  ['Europe/Berlin', '2026-03-28T07:00:00.000Z', '2026-03-29T06:00:00.000Z'],
  ['America/New_York', '2026-10-31T12:00:00.000Z', '2026-11-01T13:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-03T21:00:00.000Z', '2026-04-04T21:30:00.000Z'],
  ['Asia/Kathmandu', '2026-11-29T06:00:00.000Z', '2026-11-30T02:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-29T17:00:00.000Z', '2026-11-29T18:00:00.000Z'],
  // Samoa had no 30 December 2011.
  ['Pacific/Apia', '2011-12-29T18:00:00.000Z', '2011-12-30T18:00:00.000Z'],
])('the next 08:00 of %s after %s is %s', (zone, now, expected) => {
  expect(nextMorning(Date.parse(now), zone)).toBe(expected);
});

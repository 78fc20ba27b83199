import { expect, test } from '@jest/globals';
import { positionAt } from './position.ts';

test('positions compare as text in the order of time, also before seconds had ten digits', () => {
  const times = [
    '1975-08-05T00:53:20Z',
    '2001-09-09T01:46:39Z',
    '2025-11-30T10:40:01Z',
    '2026-11-24T01:30:00Z',
  ];
  const positions = times.map((time) => positionAt(Date.parse(time)));
  expect(positions.toSorted()).toEqual(positions);
});

import { expect, it } from '@jest/globals';
import { extremizedMean, median } from './combine.ts';

it('takes the middle forecast, or the mean of the two in the middle', () => {
  expect(median([])).toBeNull();
  expect(median([0.9, 0.1, 0.6])).toBe(0.6);
  expect(median([0.9, 0.1, 0.6, 0.5])).toBeCloseTo(0.55, 12);
});

it('moves the mean log-odds away from a half, from two forecasters on, and takes certain ones', () => {
  expect(extremizedMean([0.8])).toBeNull();
  // Odds of 4 and 1 have the geometric mean 2, and 2^1.5 are odds of 2.828.
  expect(extremizedMean([0.8, 0.5])).toBeCloseTo(2 ** 1.5 / (1 + 2 ** 1.5), 12);
  expect(extremizedMean([0, 1])).toBeCloseTo(0.5, 12);
  expect(extremizedMean([1, 1])).toBeCloseTo(99 ** 1.5 / (1 + 99 ** 1.5), 12);
});

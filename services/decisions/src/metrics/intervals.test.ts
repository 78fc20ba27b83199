import { expect, it } from '@jest/globals';
import { differenceOf, successRate } from './intervals.ts';

const rounded = ({ from, to }: { from: number; to: number }) => [from.toFixed(4), to.toFixed(4)];

// Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
it.each([
  [81, 263, '0.2553', '0.3662'],
  [15, 148, '0.0624', '0.1605'],
  [0, 20, '0.0000', '0.1611'],
  [1, 29, '0.0061', '0.1718'],
])('gives the rate of %i successes in %i cases the interval %s to %s', (successes, cases, from, to) => {
  const rate = successRate(successes, cases);
  expect([rate.value, ...rounded(rate)]).toEqual([successes / cases, from, to]);
});

// Newcombe, Interval estimation for the difference between independent proportions, table II, method 10.
it.each([
  [56, 70, 48, 80, '0.0524', '0.3339'],
  [9, 10, 3, 10, '0.1705', '0.8090'],
  [6, 7, 2, 7, '0.0582', '0.8062'],
  [5, 56, 0, 29, '-0.0381', '0.1926'],
  [0, 10, 0, 10, '-0.2775', '0.2775'],
  [10, 10, 0, 20, '0.6791', '1.0000'],
  [10, 10, 0, 10, '0.6075', '1.0000'],
])('gives the difference of %i/%i and %i/%i the interval %s to %s', (a, m, b, n, from, to) => {
  const difference = differenceOf(successRate(a, m), successRate(b, n));
  expect([difference.value, ...rounded(difference)]).toEqual([a / m - b / n, from, to]);
});

import { describe, expect, it } from '@jest/globals';
import { labelStride, ticksUpTo } from './chart-scale.ts';

describe('the ticks of an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [5, [0, 2, 4, 6]],
    [10, [0, 5, 10]],
    [30, [0, 10, 20, 30]],
    [90, [0, 50, 100]],
    [100, [0, 50, 100]],
    [3_000, [0, 1_000, 2_000, 3_000]],
    [41_000, [0, 20_000, 40_000, 60_000]],
  ])('up to %i are round, and few', (most, ticks) => {
    expect(ticksUpTo(most)).toEqual(ticks);
  });

  it('have room for their labels', () => {
    expect(labelStride(100, 80)).toBe(1);
    expect(labelStride(12, 80)).toBe(10);
    expect(labelStride(5, 80)).toBe(20);
    expect(labelStride(1, 80)).toBe(80);
  });
});

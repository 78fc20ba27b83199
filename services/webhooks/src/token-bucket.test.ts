import { describe, expect, it } from '@jest/globals';
import { tokenBucket } from './token-bucket.ts';

describe('tokenBucket', () => {
  it('gives a second’s worth at once, then one each time it has earned one', () => {
    const take = tokenBucket();
    expect([1, 2, 3, 4].map(() => take(4, 1_000))).toEqual([0, 0, 0, 0]);
    expect(take(4, 1_000)).toBe(250);
    expect(take(4, 1_100)).toBeCloseTo(150);
    expect(take(4, 1_250)).toBe(0);
    expect(take(4, 1_250)).toBe(250);
  });

  it('saves up no more than a second’s worth', () => {
    const take = tokenBucket();
    take(2, 0);
    expect([1, 2, 3].map(() => take(2, 60_000))).toEqual([0, 0, 500]);
  });

  it('follows a lower limit at once', () => {
    const take = tokenBucket();
    take(100, 0);
    expect([1, 2].map(() => take(1, 0))).toEqual([0, 1_000]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type ConcurrencyRefusal, concurrencyLimiter } from './concurrency-limiter.ts';

const TOTAL = 512;

describe('concurrencyLimiter', () => {
  it('refuses a caller with its share as RATE_LIMITED, and everyone as SERVICE_UNAVAILABLE when none is left', () => {
    const refusals: ConcurrencyRefusal[] = [];
    const limiter = concurrencyLimiter(TOTAL, (reason) => refusals.push(reason));
    const check = (caller: string) => () => limiter.check([caller]);
    for (let i = 0; i < TOTAL / 2; i += 1) limiter.take(['caller 0']);
    expect(check('caller 0')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    expect(check('another')).not.toThrow();
    for (let i = 0; i < TOTAL / 2; i += 1) limiter.take([`caller ${i}`]);
    for (const caller of ['caller 1', 'another'])
      expect(check(caller)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    expect(refusals).toEqual(['share_taken', 'none_left', 'none_left']);
    limiter.give(['caller 1']);
    expect(check('another')).not.toThrow();
  });
});

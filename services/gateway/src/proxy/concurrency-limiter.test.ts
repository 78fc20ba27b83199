import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@waymark/contracts';
import {
  type ConcurrencyLimiter,
  type ConcurrencyRefusal,
  concurrencyLimiter,
} from './concurrency-limiter.ts';

const TOTAL = 512;

let refusals: ConcurrencyRefusal[];

function newLimiter(): ConcurrencyLimiter {
  refusals = [];
  return concurrencyLimiter(TOTAL, (reason) => refusals.push(reason));
}

function refusal(limiter: ConcurrencyLimiter, ...callers: string[]): string | null {
  try {
    limiter.check(callers);
    return null;
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error);
  }
}

/** Takes as many requests as `callers` may have, and returns their number. */
function takeAll(limiter: ConcurrencyLimiter, ...callers: string[]): number {
  let taken = 0;
  for (; refusal(limiter, ...callers) === null; taken += 1) limiter.take(callers);
  return taken;
}

describe('concurrencyLimiter', () => {
  it('gives one caller half, and the next ones half of what is left', () => {
    const limiter = newLimiter();
    expect(['a', 'b', 'c'].map((caller) => takeAll(limiter, caller))).toEqual([256, 128, 64]);
    expect([refusal(limiter, 'a'), refusal(limiter, 'd')]).toEqual(['RATE_LIMITED', null]);
    expect(new Set(refusals)).toEqual(new Set(['share_taken']));
  });

  it('counts a request to each of its callers', () => {
    const limiter = newLimiter();
    expect(takeAll(limiter, 'workspace', 'user')).toBe(256);
    expect(refusal(limiter, 'another workspace', 'user')).toBe('RATE_LIMITED');
    expect(refusal(limiter, 'workspace', 'another user')).toBe('RATE_LIMITED');
    expect(refusal(limiter, 'another workspace', 'another user')).toBeNull();
  });

  it('allows a caller more once requests of this or another caller have ended', () => {
    const limiter = newLimiter();
    takeAll(limiter, 'a');
    takeAll(limiter, 'b');
    limiter.give(['a']);
    expect(refusal(limiter, 'a')).toBe('RATE_LIMITED');
    expect(takeAll(limiter, 'b')).toBe(1);
    for (let i = 0; i < 129; i += 1) limiter.give(['b']);
    expect(takeAll(limiter, 'a')).toBe(1);
  });

  it('refuses every caller with SERVICE_UNAVAILABLE when none is left', () => {
    const limiter = newLimiter();
    for (let i = 0; i < TOTAL; i += 1) limiter.take([`caller ${i}`]);
    expect(refusal(limiter, 'caller 1')).toBe('SERVICE_UNAVAILABLE');
    expect(refusal(limiter, 'another')).toBe('SERVICE_UNAVAILABLE');
    expect(refusals).toEqual(['none_left', 'none_left']);
    for (let i = 0; i < TOTAL; i += 1) limiter.give([`caller ${i}`]);
    expect(takeAll(limiter, 'caller 1')).toBe(TOTAL / 2);
  });
});

import { describe, expect, it } from '@jest/globals';
import { webhookRetryDelaysSeconds as delaysSeconds } from '@waymark/contracts';
import { judge, mayAskToWait, parseRetryAfter, retryDelayMs } from './judge-response.ts';

describe('judge', () => {
  it.each([
    ['delivered', [200, 201, 202, 204, 299]],
    ['retry', [300, 301, 302, 303, 304, 307, 308, 408, 429, 500, 501, 502, 503, 504, 599, 999, null]],
    ['rejected', [400, 401, 403, 404, 405, 409, 413, 418, 422, 451, 499]],
    ['gone', [410]],
  ] as const)('is %s for %j', (verdict, statuses) => {
    for (const status of statuses) expect([status, judge({ status })]).toEqual([status, verdict]);
  });
});

describe('retryDelayMs', () => {
  it('follows the specification: 30 s, 2 min, 10 min, 1 h, 6 h, and 6 h from there on', () => {
    const delays = [1, 2, 3, 4, 5, 6, 20].map(
      (attempt) => retryDelayMs(delaysSeconds, attempt, 0, null) / 1000,
    );
    expect(delays).toEqual([30, 120, 600, 3_600, 21_600, 21_600, 21_600]);
  });

  it('jitters upward only, by at most a tenth', () => {
    expect(retryDelayMs(delaysSeconds, 1, 0.5, null)).toBe(31_500);
    expect(retryDelayMs(delaysSeconds, 1, 1, null)).toBe(33_000);
  });

  it('waits as long as Retry-After asks, six hours at most, and never less than the schedule', () => {
    expect(retryDelayMs(delaysSeconds, 1, 0, 100)).toBe(100_000);
    expect(retryDelayMs(delaysSeconds, 1, 0, 5)).toBe(30_000);
    expect(retryDelayMs(delaysSeconds, 1, 0, 1_000_000)).toBe(6 * 3_600_000);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each([
    ['120', 120],
    [' 5 ', 5],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1e3', null],
    ['', null],
    [null, null],
  ] as const)('%j is %s', (value, seconds) => {
    expect(parseRetryAfter(value, now)).toBe(seconds);
  });

  it('counts for 429 and 503 only', () => {
    expect([408, 429, 500, 503, null].filter(mayAskToWait)).toEqual([429, 503]);
  });
});

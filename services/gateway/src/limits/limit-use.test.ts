import { describe, expect, it } from '@jest/globals';
import { useOver } from './limit-use.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-11-21T10:30:40.000Z');
const counter = (minutesAgo: number, count: number) => {
  const window = Math.floor(NOW_MS / MINUTE_MS) - minutesAgo;
  return String((window % 1_048_576) * 4_294_967_296 + count);
};

describe('useOver', () => {
  it('assigns each counter to its window, and omits counters that are older than an hour', () => {
    expect(
      useOver([counter(0, 7), counter(1, 5), counter(60, 2), counter(61, 9)], NOW_MS, MINUTE_MS),
    ).toEqual({
      used: 7,
      past: [
        { at: '2026-11-21T10:29:00.000Z', used: 5 },
        { at: '2026-11-21T09:30:00.000Z', used: 2 },
      ],
    });
  });

  it('counts nothing as used now when the last request was in an earlier window', () => {
    expect(useOver([counter(3, 4)], NOW_MS, MINUTE_MS)).toEqual({
      used: 0,
      past: [{ at: '2026-11-21T10:27:00.000Z', used: 4 }],
    });
    expect(useOver([], NOW_MS, MINUTE_MS)).toEqual({ used: 0, past: [] });
  });

  it('keeps a window that has begun when the clock is behind it', () => {
    expect(useOver([counter(-1, 7), counter(0, 5)], NOW_MS, MINUTE_MS)).toEqual({
      used: 7,
      past: [{ at: '2026-11-21T10:30:00.000Z', used: 5 }],
    });
  });

  it('handles windows on both sides of the point where their numbers wrap around', () => {
    const wrapMs = 1_048_576 * 30 * MINUTE_MS;
    const counters = [String(2), String(1_048_575 * 4_294_967_296 + 6)];
    expect(useOver(counters, wrapMs, MINUTE_MS)).toEqual({
      used: 2,
      past: [{ at: new Date(wrapMs - MINUTE_MS).toISOString(), used: 6 }],
    });
  });
});

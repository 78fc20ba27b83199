import { describe, expect, it } from '@jest/globals';
import { sendWindow } from './send-window.ts';

describe('sendWindow', () => {
  it('allows the limit at once, and another send when an earlier one is a second old', () => {
    const take = sendWindow();
    expect([0, 0, 0, 100].map((afterMs) => take(4, 1_000 + afterMs))).toEqual([0, 0, 0, 0]);
    expect(take(4, 1_100)).toBe(900);
    expect(take(4, 1_999)).toBe(1);
    expect([1, 2, 3].map(() => take(4, 2_000))).toEqual([0, 0, 0]);
    expect(take(4, 2_000)).toBe(100);
  });

  it('allows no more sends than the limit in any second, whenever it is called', () => {
    const take = sendWindow();
    const sent: number[] = [];
    for (let nowMs = 0; nowMs < 5_000; nowMs += 7) if (take(5, nowMs) === 0) sent.push(nowMs);
    const inSecondFrom = (fromMs: number) => sent.filter((ms) => ms >= fromMs && ms < fromMs + 1_000).length;
    expect(Math.max(...sent.map(inSecondFrom))).toBe(5);
    expect(sent).toHaveLength(25);
  });

  it('follows a lower limit at once', () => {
    const take = sendWindow();
    take(100, 0);
    take(100, 500);
    expect(take(1, 500)).toBe(1_000);
    expect(take(1, 1_500)).toBe(0);
  });

  it('does not wait for a clock that was set back', () => {
    const take = sendWindow();
    expect([take(1, 3_600_000), take(1, 0), take(1, 0)]).toEqual([0, 0, 1_000]);
  });
});

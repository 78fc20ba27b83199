import { describe, expect, it } from '@jest/globals';
import { peerClock } from './peer-clock.ts';

const HOUR_MS = 3_600_000;
const T0 = Date.UTC(2026, 0, 1);

/** A process whose clock is `aheadMs` ahead of its peer's; the test lets time pass. */
function start(aheadMs: number) {
  const stand = { peerMs: T0, aheadMs };
  const ticksMs = () => stand.peerMs - T0 + 17;
  const clock = peerClock({ wallMs: () => stand.peerMs + stand.aheadMs, ticksMs });
  /** Asks the peer, whose answer takes this long each way. */
  function ask(wayMs: number) {
    const sentTicksMs = ticksMs();
    stand.peerMs += wayMs;
    const earliestMs = stand.peerMs;
    stand.peerMs += wayMs;
    clock.observe({ sentTicksMs, earliestMs });
  }
  return Object.assign(stand, { clock, ask });
}

describe('the clock of a peer', () => {
  it.each([-HOUR_MS, HOUR_MS])(
    'is followed when ours is %d ms ahead, within the time of an answer',
    (ahead) => {
      const stand = start(ahead);
      expect(stand.clock.aheadMs()).toBeNull();
      expect(stand.clock.now()).toBe(T0 + ahead);
      stand.ask(40);
      stand.peerMs += 60_000;
      expect(Math.abs(stand.clock.now() - stand.peerMs)).toBeLessThanOrEqual(40);
      expect(Math.abs(stand.clock.aheadMs()! - ahead)).toBeLessThanOrEqual(40);
    },
  );

  it('is followed at once when ours is set, between two answers', () => {
    const stand = start(0);
    stand.ask(1);
    stand.aheadMs = -HOUR_MS;
    expect(Math.abs(stand.clock.now() - stand.peerMs)).toBeLessThanOrEqual(1);
    stand.aheadMs = 0;
    expect(stand.clock.now()).toBe(stand.peerMs);
  });

  it('is not followed for a slow answer or a small difference', () => {
    const stand = start(0);
    stand.ask(5_000);
    expect([stand.clock.aheadMs(), stand.clock.now()]).toEqual([0, stand.peerMs]);
    stand.ask(1);
    stand.aheadMs = 900;
    expect(stand.clock.now()).toBe(stand.peerMs + 900);
    expect(stand.clock.aheadMs()).toBeGreaterThan(890);
  });
});

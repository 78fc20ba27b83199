import { describe, expect, it } from '@jest/globals';
import { createPayloadRoom, type PayloadRoom } from './memory-budget.ts';

interface Lane {
  workspaceId: string;
}
const MEBI = 1024 * 1024;
const MOST = 160 * MEBI;
const ENDPOINTS = 50;

/** Endpoints that keep whatever they get; how much that is in all. */
function fill(room: PayloadRoom<Lane>, workspaces: number, size: number, perLane: number): number {
  let held = 0;
  for (let n = 0; n < workspaces * ENDPOINTS; n += 1) {
    const lane = { workspaceId: `${Math.floor(n / ENDPOINTS)}` };
    for (let count = 0; count < perLane && room.fits(lane, size); count += 1) {
      room.take(lane, size);
      held += size;
    }
  }
  return held;
}

describe('memory for payloads', () => {
  it.each([2_000, 200_000, 1_000_000])(
    'has an end, however many endpoints hang with %i characters',
    (size) => {
      expect(fill(createPayloadRoom(), 100, size, 256)).toBeLessThanOrEqual(MOST);
    },
  );

  it('has an end for lanes that ask the store at once', () => {
    const room = createPayloadRoom<Lane>();
    const size = 200_000;
    const lanes = Array.from({ length: 5_000 }, (_, n) => ({ workspaceId: `${n % 100}` }));
    const asked = lanes
      .filter((lane) => room.room(lane) > 0)
      .map((lane) => ({ lane, ...room.reserve(lane) }));
    let held = 0;
    for (const { lane, enough, most, giveBack } of asked) {
      giveBack();
      let got = 0;
      while (got < enough && got + size <= most) got += size;
      room.take(lane, got);
      held += got;
    }
    expect(asked.length).toBeGreaterThan(50);
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(MOST);
  });

  it('is enough for the usual payloads of one more, when the endpoints of twenty workspaces hang', () => {
    for (const size of [2_000, 200_000, 1_000_000]) {
      const room = createPayloadRoom<Lane>();
      fill(room, 20, size, 256);
      const lane = { workspaceId: 'one more' };
      for (let n = 0; n < 32; n += 1) {
        expect(room.fits(lane, 2_000)).toBe(true);
        room.take(lane, 2_000);
      }
    }
  });

  it('is whole again when all is given back', () => {
    const room = createPayloadRoom<Lane>();
    const lane = { workspaceId: 'one' };
    const before = room.room(lane);
    const { giveBack } = room.reserve(lane);
    expect(room.room(lane)).toBeLessThan(before);
    giveBack();
    room.take(lane, 1_000_000);
    room.give(lane, 1_000_000);
    expect(room.room(lane)).toBe(before);
  });
});

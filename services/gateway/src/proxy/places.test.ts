import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@waymark/contracts';
import { createPlaces, type PlaceRefusal, type Places } from './places.ts';

const TOTAL = 512;

let refusals: PlaceRefusal[];

function newPlaces(): Places {
  refusals = [];
  return createPlaces(TOTAL, (reason) => refusals.push(reason));
}

function refusal(places: Places, ...callers: string[]): string | null {
  try {
    places.check(callers);
    return null;
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error);
  }
}

/** How many callers get that take whatever they may. */
function takeAll(places: Places, ...callers: string[]): number {
  let taken = 0;
  for (; refusal(places, ...callers) === null; taken += 1) places.take(callers);
  return taken;
}

describe('createPlaces', () => {
  it('gives one caller half, and the next ones half of what is left', () => {
    const places = newPlaces();
    expect(['a', 'b', 'c'].map((caller) => takeAll(places, caller))).toEqual([256, 128, 64]);
    expect([refusal(places, 'a'), refusal(places, 'd')]).toEqual(['RATE_LIMITED', null]);
    expect(new Set(refusals)).toEqual(new Set(['share_taken']));
  });

  it('counts a request to every share that it is of', () => {
    const places = newPlaces();
    expect(takeAll(places, 'workspace', 'user')).toBe(256);
    expect(refusal(places, 'another workspace', 'user')).toBe('RATE_LIMITED');
    expect(refusal(places, 'workspace', 'another user')).toBe('RATE_LIMITED');
    expect(refusal(places, 'another workspace', 'another user')).toBeNull();
  });

  it('has more for a caller when it gives some back, or others do', () => {
    const places = newPlaces();
    takeAll(places, 'a');
    takeAll(places, 'b');
    places.give(['a']);
    expect(refusal(places, 'a')).toBe('RATE_LIMITED');
    expect(takeAll(places, 'b')).toBe(1);
    for (let i = 0; i < 129; i += 1) places.give(['b']);
    expect(takeAll(places, 'a')).toBe(1);
  });

  it('refuses everybody when none is left, as nobody’s fault', () => {
    const places = newPlaces();
    for (let i = 0; i < TOTAL; i += 1) places.take([`caller ${i}`]);
    expect(refusal(places, 'caller 1')).toBe('SERVICE_UNAVAILABLE');
    expect(refusal(places, 'another')).toBe('SERVICE_UNAVAILABLE');
    expect(refusals).toEqual(['none_left', 'none_left']);
    for (let i = 0; i < TOTAL; i += 1) places.give([`caller ${i}`]);
    expect(takeAll(places, 'caller 1')).toBe(TOTAL / 2);
  });
});

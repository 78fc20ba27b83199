import { expect, test } from '@jest/globals';
import type { Logger } from './logger.ts';
import { type Store, storeOutages } from './store-outages.ts';

function watched(store: Store) {
  const lines: string[] = [];
  const line = (level: string) => (text: string) => void lines.push(`${level}: ${text}`);
  const log = { info: line('info'), warn: line('warn'), error: line('error') } as unknown as Logger;
  let nowMs = 0;
  let isUp = true;
  const outages = storeOutages(log, () => nowMs);
  outages.watch(store, () => isUp);
  /** Checks every 5 seconds, as a process does. */
  function pass(seconds: number, up: boolean): string[] {
    isUp = up;
    for (const endMs = nowMs + seconds * 1_000; nowMs < endMs; ) {
      nowMs += 5_000;
      outages.check();
    }
    return lines.splice(0);
  }
  return pass;
}

test('a store that is away for 30 seconds is an error, once, until it is back', () => {
  const pass = watched('mongodb');
  expect(pass(60, true)).toEqual([]);
  expect(pass(25, false)).toEqual([]);
  expect(pass(300, false)).toEqual(['error: MongoDB has been away for 30 seconds']);
  expect(pass(60, true)).toEqual(['info: MongoDB is back after an outage']);
  expect(pass(30, false)).toEqual(['error: MongoDB has been away for 30 seconds']);
});

test('interruptions that end by themselves are no outage', () => {
  const pass = watched('nats');
  for (let times = 0; times < 5; times += 1) expect([...pass(25, false), ...pass(5, true)]).toEqual([]);
});

test('a store that has never been there is an error as well', () => {
  expect(watched('nats')(40, false)).toEqual(['error: NATS has been away for 30 seconds']);
});

test('Redis away is a warning, because every request is served', () => {
  expect(watched('redis')(40, false)).toEqual(['warn: Redis has been away for 30 seconds']);
});

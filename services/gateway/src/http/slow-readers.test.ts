import { EventEmitter } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { endSlowReaders } from './slow-readers.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A connection whose client reads `bytesPerSecond` of each long answer, and the minutes until its end. */
function connection(bytesPerSecond: number) {
  const server = http.createServer();
  let ends = 0;
  const ended = { inc: () => (ends += 1) };
  const begin = endSlowReaders(server, { timeoutMs: 30_000, ended });
  const double = { bytesWritten: 100_000, writableLength: 65_536, destroy: () => socket.emit('close') };
  const socket = Object.assign(new EventEmitter(), double);
  server.emit('connection', socket);
  return {
    begin: () => begin(socket as unknown as Socket),
    /** Returns after how many minutes the connection is closed, or null. */
    async endedWithin(minutes: number): Promise<number | null> {
      for (let ms = 0; ms <= minutes * MINUTE_MS; ms += SECOND_MS) {
        if (ends > 0) return ms / MINUTE_MS;
        socket.bytesWritten += bytesPerSecond;
        await jest.advanceTimersByTimeAsync(SECOND_MS);
      }
      return null;
    },
  };
}

describe('a client that is always behind', () => {
  it('loses its connection when it reads less than 64 KiB in 30 s', async () => {
    expect(await connection(0).endedWithin(5)).toBeCloseTo(0.5, 1);
  });

  it('has ten periods and one for each 512 KiB that it has read', async () => {
    expect(await connection(2_200).endedWithin(20)).toBeCloseTo(5.7, 1);
    expect(await connection(8_738).endedWithin(20)).toBeCloseTo(10, 0);
  });

  it('downloads as long as it wants at 140 kbit/s', async () => {
    expect(await connection(17_500).endedWithin(600)).toBeNull();
  });

  it('begins anew with each answer', async () => {
    const { begin, endedWithin } = connection(2_200);
    expect(await endedWithin(5)).toBeNull();
    begin();
    expect(await endedWithin(5)).toBeNull();
    expect(await endedWithin(1)).not.toBeNull();
  });
});

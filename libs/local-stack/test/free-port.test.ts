import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { canListen, freePort, portSource, reservePort } from '../src/process/free-port.ts';

let drawn = randomInt(200);
/** Below the ports of freePort, rarely those of another run, and never those of another test here. */
function lowestOfTwenty(): number {
  drawn = (drawn + 1) % 200;
  return 10_000 + 20 * drawn;
}

describe('freePort', () => {
  it('gives no port that it, or another process, was given and does not listen on yet', async () => {
    // Of two sources neither knows the other, as in two processes.
    const range = { lowest: lowestOfTwenty(), blocks: 2, blockSize: 10 };
    const [one, other] = [portSource(range), portSource(range)];
    const ports = await Promise.all([one, other].flatMap((port) => Array.from({ length: 9 }, port)));
    expect(new Set(ports).size).toBe(18);
    await expect(one()).rejects.toThrow('found no free port');
  });

  it('passes over a port that something listens on', async () => {
    const port = portSource({ lowest: lowestOfTwenty(), blocks: 1, blockSize: 10 });
    const taken = (await port()) + 1;
    const server = createServer().listen(taken, '127.0.0.1');
    await once(server, 'listening');
    const following = await port();
    server.close();
    expect(following).toBe(taken + 1);
  });

  it('passes over a reserved port, and does not listen on it to claim its block', async () => {
    const lowest = lowestOfTwenty();
    reservePort(lowest);
    reservePort(lowest + 11);
    const port = portSource({ lowest, blocks: 2, blockSize: 10 });
    expect(await port()).toBe(lowest + 12);
    expect(await canListen(lowest)).toBe(true);
    for (let nth = 13; nth < 20; nth += 1) await port();
    await expect(port()).rejects.toThrow('found no free port');
  });

  it('gives ports below those of outgoing connections', async () => {
    expect(await freePort()).toBeLessThan(32_768);
  });
});

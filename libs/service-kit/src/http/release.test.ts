import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { release, releaseReads, releaseWhenSent } from './release.ts';

/** More than sockets keep. */
const PIECES = 200;
const pieceOf = (i: number) => Buffer.alloc(70_001, `piece ${i} `);
const whole = Buffer.concat(Array.from({ length: PIECES }, (_, i) => pieceOf(i)));

/** What the server has given away, and kept a look at. */
let given: Buffer[] = [];
const server = http.createServer(async (request, response) => {
  if (request.url === '/whole') return response.end(whole);
  const giveBack = releaseWhenSent(response);
  if (request.url === '/piped') {
    const source = Readable.from(Array.from({ length: PIECES }, (_, i) => pieceOf(i)));
    source.pipe(response);
    return source.on('data', (piece: Buffer) => {
      given.push(piece);
      giveBack(piece);
    });
  }
  for (let i = 0; i < PIECES; i += 1) {
    const piece = pieceOf(i);
    if (!response.write(piece)) await once(response, 'drain');
    given.push(piece);
    giveBack(piece);
  }
  return response.end();
});
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  agent.destroy();
  server.close();
});
async function get(path: string): Promise<http.IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const [response] = await once(http.get({ port, path, agent }), 'response');
  return response;
}
const bytesOf = async (response: http.IncomingMessage) =>
  Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>));

describe('release', () => {
  it('takes the memory of a buffer away, from all who look at it', () => {
    const buffer = Buffer.alloc(100_000, 'x');
    const part = buffer.subarray(10, 20);
    release(part);
    expect([buffer.length, part.length]).toEqual([0, 0]);
  });

  it('leaves alone what small buffers share', () => {
    const [one, other] = [Buffer.from('one'), Buffer.from('other')];
    release(one);
    expect([String(one), String(other)]).toEqual(['one', 'other']);
  });
});

describe('releaseWhenSent', () => {
  it.each([
    ['/pieces', 0],
    // Pieces are told of while they wait, with what stands around them: the last three may stay.
    ['/piped', 3],
  ])('gives back what is sent, and nothing before: %s', async (path, leftMax) => {
    given = [];
    const response = await get(path);
    expect((await bytesOf(response)).equals(whole)).toBe(true);
    expect(given).toHaveLength(PIECES);
    expect(given.filter(({ length }) => length > 0).length).toBeLessThanOrEqual(leftMax);
  });

  it('keeps what a slow reader has yet to take', async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of (await get('/piped')) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      await new Promise(setImmediate);
    }
    expect(Buffer.concat(chunks).equals(whole)).toBe(true);
  });
});

describe('releaseReads', () => {
  it.each(['/whole', '/pieces'])(
    'takes nothing of a body, and leaves the connection as it was: %s',
    async (path) => {
      const sockets = new Set();
      for (let turn = 0; turn < 5; turn += 1) {
        const response = await get(path);
        releaseReads(response);
        const { socket } = response;
        expect((await bytesOf(response)).equals(whole)).toBe(true);
        await new Promise(setImmediate);
        expect(socket.listeners('data')).not.toContain(release);
        sockets.add(socket);
      }
      expect(sockets.size).toBe(1);
    },
  );

  it('gives back what was read', async () => {
    const response = await get('/whole');
    releaseReads(response);
    const reads: Buffer[] = [];
    response.socket.on('data', (read) => reads.push(read));
    await bytesOf(response);
    expect(reads.length).toBeGreaterThan(10);
    expect(reads.every(({ length }) => length === 0)).toBe(true);
  });
});

import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { oneAtATime } from './one-at-a-time.ts';

const ALL = Array.from({ length: 1_000 }, (_, n) => n);
const PADDING = 'x'.repeat(1_000);
/** More than a read of 64 KiB has, and far less than all. */
const WAITING_MAX = 200;

it('reads a connection ever more seldom while its requests wait, and answers any number of them in their order', async () => {
  let received = 0;
  let begun = 0;
  let mostWaiting = 0;
  let socket: net.Socket | undefined;
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const pauses = () => timers.mock.calls.map(([, ms]) => ms!).filter((ms) => ms >= 250);
  const go = Promise.withResolvers<void>();
  const handle = oneAtATime(async (request, response) => {
    begun += 1;
    await go.promise;
    response.end(`<${request.url}>`);
  });
  const server = http.createServer((request, response) => {
    received += 1;
    mostWaiting = Math.max(mostWaiting, received - begun);
    socket = request.socket;
    handle(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    let text = '';
    client.on('data', (chunk) => {
      text += chunk;
    });
    client.write(ALL.map((n) => `GET /${n} HTTP/1.1\r\nHost: a\r\nX-Padding: ${PADDING}\r\n\r\n`).join(''));
    await eventually(() => pauses().length === 2);
    expect(pauses()).toEqual([250, 500]);
    expect(socket?.isPaused()).toBe(true);
    expect(begun).toBe(1);
    go.resolve();
    const answered = () => [...text.matchAll(/<\/(\d+)>/g)].map(([, n]) => Number(n));
    await eventually(() => answered().length === ALL.length);
    expect(answered()).toEqual(ALL);
    expect(mostWaiting).toBeLessThan(WAITING_MAX);
  } finally {
    timers.mockRestore();
    client.destroy();
    server.close();
  }
});

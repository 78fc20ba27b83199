import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { drainServer } from './http-server.ts';

const admin = { port: 0, ready: () => undefined, drain: () => undefined, close: async () => undefined };
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

it('answers a request that arrived before the drain closes idle connections', async () => {
  const server = http.createServer((_, response) => response.end('answered'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(REQUEST);
  while (!text.endsWith('answered')) await once(socket, 'data');

  text = '';
  const closed = once(socket, 'close');
  const drained = drainServer(server, admin, 20);
  // The request is in the socket before the timer fires. The process is blocked and reads it only afterwards.
  socket.write(REQUEST);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
  await Promise.all([drained, closed]);
  expect(text).toContain('answered');
});

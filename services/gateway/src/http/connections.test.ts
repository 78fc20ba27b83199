import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, it, jest } from '@jest/globals';
import { boundConnections } from './connections.ts';

/** A server without clients, and a function that connects as many as it takes, or `most`. */
function start(trustedProxies: readonly string[] = [], files = Number.POSITIVE_INFINITY) {
  const server = new EventEmitter();
  const refused: string[] = [];
  const warn = jest.fn();
  let held = () => 0;
  const admission = () => ({
    onRefused: (reason: string) => void refused.push(reason),
    onHeld: (count: () => number) => {
      held = count;
    },
  });
  boundConnections(server as Server, { metrics: { admission }, trustedProxies, files, log: { warn } });
  function connect(remoteAddress: string, most: number) {
    const sockets: EventEmitter[] = [];
    let isOpen = true;
    while (isOpen && sockets.length < most) {
      const destroy = () => {
        isOpen = false;
      };
      const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy });
      server.emit('connection', socket);
      if (isOpen) sockets.push(socket);
    }
    return sockets;
  }
  return { connect, refused, warn, held: () => held() };
}

it('a client that opens connections without end leaves most of them to others', () => {
  const { connect, refused, held } = start();
  const many = connect('192.0.2.1', 20_000);
  expect([many.length, refused]).toEqual([6_144, ['share']]);
  expect(connect('198.51.100.1', 100)).toHaveLength(100);
  for (const socket of many) socket.emit('close');
  expect(held()).toBe(100);
});

it('the networks of one subscriber do not have more than half together', () => {
  const { connect, held } = start();
  for (let n = 0; n < 256; n += 1) connect(`2001:db8:0:${n.toString(16)}::1`, 20_000);
  expect(held()).toBeLessThanOrEqual(8_192);
  expect(connect('::ffff:198.51.100.1', 100)).toHaveLength(100);
});

it('a trusted proxy has as many as it needs', () => {
  const { connect, held } = start(['10.0.0.0/8']);
  expect(connect('::ffff:10.1.2.3', 20_000)).toHaveLength(20_000);
  expect(held()).toBe(0);
});

it('clients leave half of few open files to the process', () => {
  const { connect, held, warn } = start([], 1_024);
  for (let n = 0; n < 255; n += 1) connect(`192.0.2.${n}`, 20_000);
  expect(held()).toBe(512);
  expect(warn.mock.calls).toEqual([[{ connections: 512, files: 1_024 }, expect.stringContaining('ulimit')]]);
  expect(start().warn).not.toHaveBeenCalled();
});

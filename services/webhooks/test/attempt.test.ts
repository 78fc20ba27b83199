import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type DeliveryWithAttempts, limits } from '@waymark/contracts';
import {
  answer,
  type Behaviour,
  eventually,
  hang,
  lie,
  redirect,
  reset,
  startWebhookReceiver,
} from '@waymark/testing';
import { useWebhookStack } from './webhook-stack.ts';

const MINUTE_MS = 60_000;
/** Enough bytes of an endless answer to show that it has begun. */
const ENOUGH_BYTES = 50;

/** Ends the attempts under way: the test decides when their time is over. */
const deadlines = new Set<() => void>();
const stack = await useWebhookStack({
  env: { WEBHOOK_TIMEOUT_MS: '15000' },
  seams: {
    deadline(end) {
      deadlines.add(end);
      return () => deadlines.delete(end);
    },
  },
});

/** Returns the delivery after one attempt; another endpoint gets its own meanwhile. */
async function attemptAt(url: string, isOver = async () => false): Promise<DeliveryWithAttempts> {
  const workspace = stack.workspace();
  const webhook = await workspace.createWebhook(url);
  const other = await workspace.createWebhook(`${stack.receiver.url}/other`);
  await workspace.publish();
  await workspace.stats(other.id, { delivered: 1 });
  if (await isOver()) {
    expect(deadlines.size).toBe(1);
    for (const end of deadlines) end();
  }
  return workspace.delivery((await workspace.firstDelivery(webhook.id)).id);
}

/** Returns the delivery after one attempt against a behaviour. */
function attempt(behaviour: Behaviour, isOver?: () => Promise<boolean>): Promise<DeliveryWithAttempts> {
  stack.receiver.behaveEach(({ path }) => (path === '/other' ? answer() : behaviour));
  return attemptAt(stack.receiver.url, isOver);
}

const waitOf = ({ status, attempt: count, next_attempt_at }: DeliveryWithAttempts) => {
  expect([status, count]).toEqual(['pending', 1]);
  return Date.parse(next_attempt_at!) - stack.clock.ms;
};
const failedWith = (error: RegExp) => [
  expect.objectContaining({ status: null, error: expect.stringMatching(error), response_body: null }),
];

describe('one attempt', () => {
  it('delivers, is tried again, or fails at once, by its status', async () => {
    const delivered = await attempt(answer(204));
    expect(delivered).toMatchObject({ status: 'delivered', attempt: 1, next_attempt_at: null });
    expect(delivered.attempts).toMatchObject([{ status: 204, error: null }]);
    const failed = await attempt(answer(404, { body: 'no' }));
    expect(failed).toMatchObject({ status: 'failed', attempt: 1, next_attempt_at: null });
    expect(failed.finished_at).toBe(stack.clock.inMs(0));
    expect(failed.attempts).toMatchObject([{ status: 404, error: null, response_body: 'no' }]);
    const again = await attempt(answer(500));
    expect(waitOf(again)).toBe(30_000);
    expect(again.attempts).toMatchObject([{ status: 500, error: null }]);
  });

  it('does not follow a redirect, and is tried again', async () => {
    const inside = await startWebhookReceiver();
    const delivery = await attempt(redirect(`${inside.url}/latest/meta-data`, 307));
    expect(waitOf(delivery)).toBe(30_000);
    expect(delivery.attempts).toMatchObject([{ status: 307 }]);
    expect(inside.requests).toEqual([]);
    await inside.stop();
  });

  it.each([
    [429, '120', 2 * MINUTE_MS],
    [500, '120', 30_000],
  ])('of %i with Retry-After: %s waits %i ms', async (status, value, waitMs) => {
    expect(waitOf(await attempt(answer(status, { headers: { 'retry-after': value } })))).toBe(waitMs);
  });

  it('of 429 with a date in Retry-After waits until then', async () => {
    const until = new Date(stack.clock.ms + 10 * MINUTE_MS).toUTCString();
    const waitMs = waitOf(await attempt(answer(429, { headers: { 'retry-after': until } })));
    expect(Math.abs(waitMs - 10 * MINUTE_MS)).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ['a reset', reset(), /^the connection was (reset|closed)/],
    ['an answer that is shorter than it says', lie(), /broke off/],
    ['a failure that is shorter than it says', lie(400), /broke off/],
  ] as const)('that ends with %s is repeated', async (_, behaviour, error) => {
    const delivery = await attempt(behaviour);
    expect(waitOf(delivery)).toBe(30_000);
    expect(delivery.attempts).toEqual(failedWith(error));
  });

  it('without an answer is given up, and repeated', async () => {
    const delivery = await attempt(hang(), () => eventually(() => stack.receiver.open() === 1));
    expect(waitOf(delivery)).toBe(30_000);
    expect(delivery.attempts).toEqual(failedWith(/^no whole answer within 15000 ms/));
  });

  it('whose connection is refused is repeated', async () => {
    const gone = await startWebhookReceiver();
    await gone.stop();
    expect((await attemptAt(gone.url)).attempts).toEqual(failedWith(/^the connection was refused$/));
  });

  it('to a port without TLS says so in one line', async () => {
    const { attempts } = await attemptAt(stack.receiver.url.replace('http:', 'https:'));
    expect(attempts).toEqual(failedWith(/^TLS failed: [a-z0-9 ]+$/));
  });

  it('keeps the first 16 KiB of an answer', async () => {
    const { attempts } = await attempt(answer(200, { body: 'ü'.repeat(20_000) }));
    expect(attempts[0]!.response_body).toBe('ü'.repeat(8_192));
  });
});

describe('a hostile receiver', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  /** Bytes of an endless answer that the current test's receiver has sent. */
  let bytesSent = 0;
  afterEach(async () => {
    bytesSent = 0;
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  /** Attempts a delivery to a server with arbitrary behaviour on each connection, HTTP or not. */
  async function attack(behave: (socket: Socket) => void, isOver?: () => Promise<boolean>) {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      socket.once('data', () => behave(socket));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return attemptAt(`http://127.0.0.1:${(server.address() as { port: number }).port}/`, isOver);
  }

  /** Writes the same bytes as fast as possible until the other side closes the connection. */
  function endlessly(socket: Socket, text: string): void {
    const chunk = Buffer.from(text);
    const more = () => {
      while (!socket.destroyed && socket.write(chunk)) bytesSent += chunk.length;
    };
    socket.on('drain', more);
    more();
  }

  function drip(socket: Socket, text: string): void {
    let at = 0;
    const timer = setInterval(() => {
      socket.write(text[at++ % text.length]!);
      bytesSent += 1;
    }, 5);
    socket.on('close', () => clearInterval(timer));
  }

  it.each<[string, string, (socket: Socket) => void, RegExp]>([
    [
      'headers without end',
      'HTTP/1.1 200 OK\r\n',
      (socket) => endlessly(socket, `X-Filler: ${'x'.repeat(1_000)}\r\n`),
      /^its headers have more than 16 KiB$/,
    ],
    [
      'one header without end',
      'HTTP/1.1 200 OK\r\nX-Filler: ',
      (socket) => endlessly(socket, 'x'.repeat(10_000)),
      /^its headers have more than 16 KiB$/,
    ],
    ['a status line byte by byte', '', (socket) => drip(socket, 'HTTP/1.1 200'), /Parse|HTTP/],
    ['another protocol', '', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), /HTTP|Parse/i],
    [
      'interim responses without end',
      '',
      (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(11)),
      /^more than 10 responses with 1xx$/,
    ],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\n',
      (socket) => socket.end('Content-Length: 1\r\nContent-Length: 9\r\n\r\nabc'),
      /HTTP|Parse|Content-Length/i,
    ],
    [
      'a chunk that is no chunk',
      'HTTP/1.1 200 OK\r\n',
      (socket) => socket.end('Transfer-Encoding: chunked\r\n\r\nzzz\r\n'),
      /broke off/,
    ],
  ])('with %s fails its attempt, which is repeated', async (_, begin, behave, error) => {
    const { status, attempts } = await attack((socket) => {
      socket.write(begin);
      behave(socket);
    });
    expect([status, attempts]).toEqual(['pending', failedWith(error)]);
  });

  it.each<[string, (socket: Socket) => void]>([
    [
      'headers byte by byte',
      (socket) => socket.write('HTTP/1.1 200 OK\r\n', () => drip(socket, 'X-A: b\r\n')),
    ],
    ['informational answers without end', (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['a body byte by byte', (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n', () => drip(socket, 'x'))],
  ])('with %s is cut off when the time is over', async (_, behave) => {
    const { status, attempts } = await attack(behave, () => eventually(() => bytesSent >= ENOUGH_BYTES));
    expect([status, attempts]).toEqual(['pending', failedWith(/no whole answer within 15000 ms/)]);
  });

  it('with an endless body is cut off, and its status counts', async () => {
    const { status, attempts } = await attack((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      endlessly(socket, 'x'.repeat(10_000));
    });
    expect(status).toBe('delivered');
    expect(attempts[0]!.response_body).toBe('x'.repeat(limits.webhookResponseKeptBytes));
    await eventually(() => sockets.size === 0);
  });

  it('whose body would decompress to a thousand times its size is stored as received', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const { status, attempts } = await attack((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    expect(status).toBe('delivered');
    expect(attempts[0]!.response_body!.length).toBeLessThanOrEqual(limits.webhookResponseKeptBytes);
  });

  it('whose answer is not valid text is shown as text', async () => {
    const { attempts } = await attack((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n');
      socket.write(Buffer.from([0x00, 0xff, 0xfe, 0x41]));
    });
    expect(attempts[0]!.response_body).toMatch(/A$/);
  });
});

import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type DeliveryWithAttempts, limits } from '@waymark/contracts';
import { eventually, patience, redirect, startWebhookReceiver } from '@waymark/testing';
import { startWebhookStack, type WebhookStack } from './webhook-stack.ts';

const TIMEOUT_MS = patience(15_000);
/** Enough bytes of an endless answer to show that it has begun. */
const ENOUGH_BYTES = 50;

/** The addresses that names resolve to at the moment. */
const names: Record<string, string[]> = {};
let stack: WebhookStack;
const servers: Server[] = [];
const sockets = new Set<Socket>();
/** Ends the attempts under way: the test decides when their time is over. */
const deadlines = new Set<() => void>();
/** Bytes of an endless answer that the current test's receiver has sent. */
let bytesSent = 0;

beforeAll(async () => {
  stack = await startWebhookStack({
    env: { WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) },
    seams: {
      resolveHost: async (name) => names[name] ?? Promise.reject(new Error('ENOTFOUND')),
      deadline(end) {
        deadlines.add(end);
        return () => deadlines.delete(end);
      },
    },
  });
});
afterEach(async () => {
  bytesSent = 0;
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});
afterAll(() => stack.stop());

/** Starts a server with arbitrary behaviour on each connection, HTTP or not. */
async function hostile(behave: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => behave(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
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

/**
 * Returns the delivery after one attempt, while another endpoint gets its own. `outlasts`: only a timeout
 * ends the attempt.
 */
async function firstAttempt(url: string, { outlasts = false } = {}): Promise<DeliveryWithAttempts> {
  const workspace = stack.workspace();
  const webhook = await workspace.createWebhook(url);
  const other = await workspace.createWebhook(stack.receiver.url);
  await workspace.publish();
  await workspace.stats(other.id, { delivered: 1 });
  if (outlasts) {
    await eventually(() => bytesSent >= ENOUGH_BYTES);
    expect(deadlines.size).toBe(1);
    for (const end of deadlines) end();
  }
  const [delivery] = await workspace.deliveries(webhook.id, 1, ({ attempt }) => attempt === 1);
  return workspace.delivery(delivery!.id);
}

describe('a hostile receiver', () => {
  it.each<[string, (socket: Socket) => void, RegExp]>([
    [
      'headers without end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        endlessly(socket, `X-Filler: ${'x'.repeat(1_000)}\r\n`);
      },
      /Headers Overflow/i,
    ],
    [
      'one header without end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX-Filler: ');
        endlessly(socket, 'x'.repeat(10_000));
      },
      /Headers Overflow/i,
    ],
    ['a status line byte by byte', (socket) => drip(socket, 'HTTP/1.1 200'), /Parse|HTTP/],
    [
      'headers byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'X-A: b\r\n');
      },
      /within 15000 ms/,
    ],
    [
      'informational answers without end',
      (socket) => endlessly(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
      /within 15000 ms/,
    ],
    ['another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), /HTTP|Parse/i],
    [
      'two lengths',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 9\r\n\r\nabc'),
      /HTTP|Parse|Content-Length/i,
    ],
    [
      'a chunk that is no chunk',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n'),
      /broke off/,
    ],
  ])('with %s fails its attempt, which is tried again', async (_, behave, error) => {
    const outlasts = error.test(`no whole answer within ${TIMEOUT_MS} ms`);
    const { status, attempts } = await firstAttempt(await hostile(behave), { outlasts });
    expect(status).toBe('pending');
    expect(attempts).toMatchObject([{ status: null, error: expect.stringMatching(error) }]);
  });

  it('with an endless body is cut off, and its status counts', async () => {
    const url = await hostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      endlessly(socket, 'x'.repeat(10_000));
    });
    const { status, attempts } = await firstAttempt(url);
    expect(status).toBe('delivered');
    expect(attempts[0]!.response_body).toHaveLength(limits.webhookAnswerKeptBytes);
  });

  it('whose body would decompress to a thousand times its size is stored as received', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const url = await hostile((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    const { status, attempts } = await firstAttempt(url);
    expect(status).toBe('delivered');
    expect(attempts[0]!.response_body!.length).toBeLessThanOrEqual(limits.webhookAnswerKeptBytes);
  });

  it('whose answer is not valid text is shown as text', async () => {
    const url = await hostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n');
      socket.write(Buffer.from([0x00, 0xff, 0xfe, 0x41]));
    });
    const { attempts } = await firstAttempt(url);
    expect(attempts[0]!.response_body).toMatch(/A$/);
  });

  it('that redirects to an internal address is not followed', async () => {
    const inside = await startWebhookReceiver();
    const lure = await startWebhookReceiver();
    lure.behave(redirect(`${inside.url}/latest/meta-data`, 307));
    const { status, attempts } = await firstAttempt(lure.url);
    expect([status, attempts[0]!.status]).toEqual(['pending', 307]);
    expect(inside.requests).toEqual([]);
    await Promise.all([inside.stop(), lure.stop()]);
  });
});

describe('a name', () => {
  it('that is public at registration and private at sending is not connected to', async () => {
    const guarded = await startWebhookStack({
      env: { WEBHOOK_ALLOW_LOOPBACK: 'false' },
      seams: { resolveHost: async (name) => names[name] ?? Promise.reject(new Error('ENOTFOUND')) },
    });
    try {
      const workspace = guarded.workspace();
      for (const [n, address] of ['127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1'].entries()) {
        const name = `rebinding${n}.example.com`;
        names[name] = ['93.184.216.34'];
        const webhook = await workspace.createWebhook(`https://${name}/`);
        names[name] = [address];
        await workspace.publish();
        const [delivery] = await workspace.deliveries(webhook.id, 1, ({ attempt }) => attempt === 1);
        expect((await workspace.delivery(delivery!.id)).attempts).toMatchObject([
          {
            status: null,
            error: 'the name does not resolve to an address that webhooks may use',
            response_body: null,
          },
        ]);
        await workspace.call('PATCH', `/webhooks/${webhook.id}`, { body: { enabled: false } });
      }
    } finally {
      await guarded.stop();
    }
  });
});

import http from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { answer, hang, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { type AllowedTarget, readAllowedTargets } from '../src/endpoints/allowed-targets.ts';
import type { ResolveHost } from '../src/endpoints/resolve-host.ts';
import { createPost, type Post } from '../src/sending/post.ts';

let receiver: WebhookReceiver;
let server: Server;
let port: number;
/** The TCP connections that arrived, whatever was sent on them. */
let connections: number;
const posts: Post[] = [];

beforeEach(async () => {
  receiver = await startWebhookReceiver();
  connections = 0;
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterEach(async () => {
  await Promise.all(posts.splice(0).map((post) => post.close()));
  await receiver.stop();
  await new Promise((resolve) => server.close(resolve));
});

const PUBLIC: ResolveHost = async () => ['93.184.216.34'];

function postWith(
  allowLoopback: boolean,
  resolveHost = PUBLIC,
  more: { proxyUrl?: string; allowed?: AllowedTarget[]; timeoutMs?: number } = {},
): Post {
  const { proxyUrl, allowed = [], timeoutMs = 2_000 } = more;
  const rules = { allowLoopback, ports: [443, port], allowed };
  const post = createPost({ rules, resolveHost, proxyUrl, timeoutMs });
  posts.push(post);
  return post;
}

const body = Buffer.from('{}');
const NO_ADDRESS = 'the name does not resolve to an address that webhooks may use';

describe('a POST', () => {
  it('sends the body and the headers unchanged', async () => {
    const post = postWith(true);
    const bytes = Buffer.from('{ "ü" : "\\u2028" }\n');
    const answer = await post(
      `${receiver.url}/a?b=%20c`,
      { 'content-type': 'application/json', 'X-Test': '1' },
      bytes,
    );
    expect(answer).toMatchObject({ status: 200, error: null });
    expect(receiver.requests).toMatchObject([
      { method: 'POST', path: '/a?b=%20c', headers: { 'x-test': '1' } },
    ]);
    expect(receiver.requests[0]!.rawBody.equals(bytes)).toBe(true);
  });

  it('ends without an answer after its timeout', async () => {
    receiver.behave(hang());
    const { error, latency_ms } = await postWith(true, PUBLIC, { timeoutMs: 100 })(receiver.url, {}, body);
    expect(error).toBe('no whole answer within 100 ms');
    expect(latency_ms).toBeGreaterThanOrEqual(99);
  });

  it('reuses its connection', async () => {
    const post = postWith(true);
    for (let i = 0; i < 5; i += 1) await post(receiver.url, {}, body);
    const ports = new Set(receiver.requests.map(({ headers }) => headers['connection']));
    expect(receiver.requests).toHaveLength(5);
    expect(ports).toEqual(new Set(['keep-alive']));
  });

  it.each([
    ...[['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['::1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1']],
    ['93.184.216.34', '127.0.0.1'],
  ])('does not connect to a name that now resolves to %s', async (...addresses) => {
    let asked = 0;
    const post = postWith(false, async () => {
      asked += 1;
      return addresses;
    });
    const answer = await post(`https://rebound.example.com:${port}/`, {}, body);
    expect(answer).toMatchObject({ status: null, error: NO_ADDRESS });
    expect([asked, connections]).toEqual([1, 0]);
  });

  it('connects to exactly the address that was checked', async () => {
    const given = [['127.0.0.1'], ['10.0.0.1']];
    const post = postWith(true, async () => given.shift()!);
    const answer = await post(`https://pinned.example.com:${port}/`, {}, body);
    expect(answer).toMatchObject({ status: null, error: expect.stringMatching(/reset|closed|disconnected/) });
    expect(connections).toBe(1);
    expect(given).toEqual([['10.0.0.1']]);
  });

  it.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://[::1]',
    'https://localhost',
    'http://example.com',
  ])('does not connect to %s, whatever was allowed when it was registered', async (origin) => {
    const answer = await postWith(false)(`${origin}:${port}/`, {}, body);
    expect(answer).toMatchObject({ status: null, error: expect.stringMatching(/^the URL must /) });
    expect(connections).toBe(0);
  });

  it.each([
    ['an unknown name', () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))],
    ['a name for a private address', async () => ['10.1.2.3']],
  ])('reports %s in the same words as any other that it cannot use', async (_, resolveHost) => {
    const answer = await postWith(false, resolveHost)('https://nowhere.example.com/', {}, body);
    expect(answer.error).toBe(NO_ADDRESS);
  });

  it('checks the address of a name against the port and the scheme that the operator allows', async () => {
    const allowed = readAllowedTargets('http://10.0.0.0/8:9000, 192.168.0.0/16');
    const post = postWith(false, async () => ['10.1.2.3'], { allowed });
    const errorOf = async (url: string) => (await post(url, {}, body)).error;
    expect(await errorOf('https://any.example.com/')).toBe(NO_ADDRESS);
    expect(await errorOf('http://any.example.com:9001/')).toMatch(/^the URL must /);
    // Allowed, but there is nothing at this address.
    expect(await errorOf('http://any.example.com:9000/')).not.toBe(NO_ADDRESS);
  });

  describe('through an egress proxy', () => {
    let proxy: http.Server;
    let asked: http.IncomingMessage[];
    /** The first byte that is sent through each tunnel. */
    let tunnelled: number[];
    let proxyUrl: string;
    let isRefusing: boolean;

    beforeEach(async () => {
      [asked, tunnelled, isRefusing] = [[], [], false];
      proxy = http.createServer();
      proxy.on('connect', (request, socket) => {
        asked.push(request);
        if (isRefusing) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.once('data', (chunk: Buffer) => {
          tunnelled.push(chunk[0]!);
          socket.destroy();
        });
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      proxyUrl = `http://us%40er:p%3Ass@127.0.0.1:${(proxy.address() as { port: number }).port}`;
    });
    afterEach(() => new Promise((resolve) => proxy.close(resolve)));

    it('opens a tunnel with its credentials and begins TLS with the receiver', async () => {
      const neverAsked = () => Promise.reject(new Error('resolved here'));
      const answer = await postWith(false, neverAsked, { proxyUrl })('https://hooks.example.com/a', {}, body);
      expect(answer.status).toBeNull();
      const credentials = Buffer.from('us@er:p:ss').toString('base64');
      expect(asked.map(({ url, headers }) => [url, headers['proxy-authorization']])).toEqual([
        ['hooks.example.com:443', `Basic ${credentials}`],
      ]);
      const TLS_HANDSHAKE = 0x16;
      expect(tunnelled).toEqual([TLS_HANDSHAKE]);
    });

    it('reports its refusal without its address', async () => {
      isRefusing = true;
      const answer = await postWith(false, PUBLIC, { proxyUrl })('https://hooks.example.com/', {}, body);
      expect(answer).toMatchObject({
        status: null,
        error: 'the egress proxy refused the connection with 407',
      });
    });

    it('refuses literal addresses as without it', async () => {
      const answer = await postWith(false, PUBLIC, { proxyUrl })('https://169.254.169.254/', {}, body);
      expect(answer.error).toMatch(/^the URL must /);
      expect(asked).toEqual([]);
    });

    it('is not used for what the operator allows', async () => {
      const allowed = readAllowedTargets(`hooks.internal`);
      const post = postWith(false, async () => ['127.0.0.1'], { proxyUrl, allowed });
      expect((await post('https://hooks.internal/', {}, body)).error).toBe(NO_ADDRESS);
      expect(asked).toEqual([]);
    });
  });
});

describe('a GET of a document', () => {
  it('follows no redirect, and keeps the start of a long answer', async () => {
    receiver.behave(answer(302, { headers: { location: `${receiver.url}/other` } }));
    expect((await postWith(true).get(`${receiver.url}/a`)).status).toBe(302);
    receiver.behave(answer(200, { body: 'x'.repeat(limits.webhookResponseKeptBytes + 1) }));
    const { response_body: text } = await postWith(true).get(`${receiver.url}/b`);
    expect(text).toHaveLength(limits.webhookResponseKeptBytes);
    expect(receiver.requests.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/a'],
      ['GET', '/b'],
    ]);
  });

  it('ends after its timeout, and connects to no private address', async () => {
    receiver.behave(hang());
    expect((await postWith(true, PUBLIC, { timeoutMs: 100 }).get(receiver.url)).status).toBeNull();
    const { status } = await postWith(false, async () => ['127.0.0.1']).get(`https://rebound.test:${port}/`);
    expect([status, connections]).toEqual([null, 0]);
  });
});

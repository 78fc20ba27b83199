import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
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

function postWith(allowLoopback: boolean, resolveHost: ResolveHost = async () => ['93.184.216.34']): Post {
  const rules = { allowLoopback, ports: [443, port] };
  const post = createPost({ rules, resolveHost, timeoutMs: 2_000 });
  posts.push(post);
  return post;
}

const body = Buffer.from('{}');

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

  it('reuses its connection', async () => {
    const post = postWith(true);
    for (let i = 0; i < 5; i += 1) await post(receiver.url, {}, body);
    const ports = new Set(receiver.requests.map(({ headers }) => headers['connection']));
    expect(receiver.requests).toHaveLength(5);
    expect(ports).toEqual(new Set(['keep-alive']));
  });

  it.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
  ])('does not connect to a name that now resolves to %s', async (address) => {
    let asked = 0;
    const post = postWith(false, async () => {
      asked += 1;
      return [address];
    });
    const answer = await post(`https://rebound.example.com:${port}/`, {}, body);
    expect(answer).toMatchObject({
      status: null,
      error: 'the name resolves to an address that is not public',
    });
    expect(asked).toBe(1);
    expect(connections).toBe(0);
  });

  it('does not connect to a name with a public address among others', async () => {
    const post = postWith(false, async () => ['93.184.216.34', '127.0.0.1']);
    const answer = await post(`https://half.example.com:${port}/`, {}, body);
    expect(answer.error).toContain('not public');
    expect(connections).toBe(0);
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

  it('reports a name that does not resolve', async () => {
    const post = postWith(false, () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })));
    expect((await post('https://nowhere.example.com/', {}, body)).error).toBe('the name does not resolve');
  });

  it('does not disclose the address that was refused', async () => {
    const post = postWith(false, async () => ['10.11.12.13']);
    expect(JSON.stringify(await post('https://internal.example.com/', {}, body))).not.toContain(
      '10.11.12.13',
    );
  });
});

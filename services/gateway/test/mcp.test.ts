import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { type Answer, eventually, httpCall } from '@waymark/testing';
import { begin } from './raw-client.ts';
import { type Call, type Stand, startStand, useStand } from './stand.ts';

const OWN = 'http://waymark.test';
const ACCEPT = 'application/json, text/event-stream';

type Input = Omit<Call, 'body'> & { method?: string };

async function post(stand: Stand, message: unknown, input: Input = {}): Promise<Answer> {
  const { key, cookie, headers, method = 'POST', ...rest } = input;
  return httpCall(stand.url, method, '/mcp', {
    ...rest,
    ...(message !== undefined && { body: message }),
    headers: {
      accept: ACCEPT,
      ...(key && { authorization: `Bearer ${key}` }),
      ...(cookie && { cookie }),
      ...headers,
    },
  });
}

const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const list = request('tools/list');
const call = (name: string, given: object = {}) => request('tools/call', { name, arguments: given });

describe('POST /mcp', () => {
  const stand = useStand({ env: { LIMIT_SCALE: '100' } });
  let key: string;
  beforeAll(() => {
    key = stand.accounts.createKey().key;
  });

  it('answers in JSON, with the headers of every answer, and a notification with nothing', async () => {
    const answer = await post(stand, request('ping'), { key, headers: { 'x-request-id': 'the-request' } });
    expect(answer).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'the-request',
      'x-ratelimit-limit': '10000',
    });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await post(stand, notification, { key })).toMatchObject({ status: 202, text: '' });
  });

  it('keeps no place for a client that went away before its key was known', async () => {
    const gone = stand.accounts.createKey();
    const known = stand.accounts.hold(gone);
    const before = stand.accounts.lookUps();
    const sent = begin(`${stand.url}/mcp`, 'POST', { 'x-api-key': gone.key, accept: ACCEPT });
    sent.request.end(JSON.stringify(request('ping')));
    await eventually(() => stand.accounts.lookUps() > before);
    sent.request.destroy();
    await new Promise((resolve) => sent.request.once('close', resolve));
    known();
    expect((await post(stand, request('ping'), { key: gone.key })).status).toBe(200);
    await eventually(async () =>
      expect(await stand.metric('waymark_admission_held', 'resource="mcp"')).toBe(0),
    );
  });

  it('offers no tool that changes something unless the gateway was started with MCP_WRITES', async () => {
    const offered = await post(stand, list, { key });
    expect(offered.body.result.tools).toHaveLength(15);
    for (const tool of offered.body.result.tools) expect(tool.annotations.readOnlyHint).toBe(true);
    const { body } = await post(stand, call('log_decision', { title: 'x' }), { key });
    expect(body.result).toMatchObject({
      isError: true,
      structuredContent: { error: 'FORBIDDEN', reason: 'mcp_read_only' },
    });
    expect(stand.decisions.seen).toEqual([]);
  });

  it('refuses other methods, as a server without sessions does', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
      const answer = await post(stand, undefined, { key, method });
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('POST');
    }
  });

  it('refuses callers without valid credentials, and never repeats a key', async () => {
    const wrong = `wmk_${'x'.repeat(43)}`;
    for (const input of [{}, { key: wrong }, { cookie: 'waymark_session=stale' }]) {
      const answer = await post(stand, list, input);
      expect(answer).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
      expect(answer.text).not.toContain(wrong);
    }
    const echoed = await post(stand, call(key, { id: key }), { key });
    expect(echoed.body.error.code).toBe(-32602);
  });

  it('refuses pages of other sites, with a key too', async () => {
    const { cookie } = stand.accounts.createSession();
    for (const caller of [{ key }, { cookie }]) {
      for (const origin of ['https://evil.example', 'null', 'http://waymark.test:81']) {
        const answer = await post(stand, list, { ...caller, headers: { origin } });
        expect(answer).toMatchObject({ status: 403, body: { error: 'FORBIDDEN', reason: 'origin' } });
      }
      expect((await post(stand, list, { ...caller, headers: { origin: OWN } })).status).toBe(200);
    }
    // A name that leads to this address from now on (DNS rebinding) is another origin.
    const rebound = { host: 'evil.example', origin: 'http://evil.example' };
    expect((await post(stand, list, { key, headers: rebound })).status).toBe(403);
  });

  it('refuses what is not one message of the protocol', async () => {
    const refused = async (message: unknown, input: Input = {}) =>
      (await post(stand, message, { key, ...input })).status;
    expect(await refused([list, list])).toBe(400);
    expect(await refused([])).toBe(400);
    expect(await refused({ hello: 1 })).toBe(400);
    expect(await refused(undefined, { rawBody: '{' })).toBe(400);
    expect(await refused(undefined)).toBe(415);
    expect(await refused(list, { headers: { accept: 'text/html' } })).toBe(406);
    expect(await refused(list, { headers: { 'content-type': 'text/plain' } })).toBe(415);
    expect(await refused(list, { headers: { 'mcp-protocol-version': '1999-01-01' } })).toBe(400);
    expect(await refused(list, { query: { writes: 'true' } })).toBe(400);
    expect(await refused(list, { query: { readOnly: 'perhaps' } })).toBe(400);
  });

  it('refuses a message that is too large, of announced or unknown length, too deep or too long', async () => {
    const large = JSON.stringify(call('get_decision', { id: 'x'.repeat(limits.mcpBodyBytes) }));
    const announced = await post(stand, undefined, { key, rawBody: large });
    expect(announced).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
    const unknown = await fetch(`${stand.url}/mcp`, {
      method: 'POST',
      headers: { accept: ACCEPT, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(unknown.status).toBe(413);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect((await post(stand, undefined, { key, rawBody: deep })).status).toBe(400);
    const many = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'1,'.repeat(70_000)}1]}}`;
    expect((await post(stand, undefined, { key, rawBody: many })).status).toBe(400);
  });

  it('refuses unknown tools and methods by the protocol, and wrong arguments by the API', async () => {
    const unknown = await post(stand, call('delete_everything'), { key });
    expect(unknown.body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool'),
    });
    expect((await post(stand, request('completion/complete'), { key })).body.error.code).toBe(-32601);
    const { body } = await post(stand, call('get_decision', { id: 'no id', nonsense: 1 }), { key });
    const { isError, structuredContent, content } = body.result;
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      error: 'VALIDATION_ERROR',
      issues: [{ path: 'id' }, { path: 'nonsense' }],
      requestId: expect.any(String),
    });
    expect(content[0].text).toMatch(/^VALIDATION_ERROR: /);
    expect(stand.decisions.seen).toEqual([]);
  });

  it('says that arguments of a read are too long for it', async () => {
    const { body } = await post(stand, call('list_decisions', { tag: 'x'.repeat(100_000) }), { key });
    expect(body.result).toMatchObject({ isError: true, structuredContent: { error: 'URI_TOO_LONG' } });
  });

  it('sends the caller, and nothing else of the client, to the service', async () => {
    const id = crypto.randomUUID();
    stand.decisions.respond = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id, title: 'hidden \u{e0041}\u202e text', tags: [], rationale: null }));
    };
    const headers = { 'if-none-match': '*', prefer: 'x', range: 'bytes=0-1', 'user-agent': 'agent/1' };
    const { body } = await post(stand, call('get_decision', { id: id.toUpperCase() }), {
      key,
      headers: { ...headers, 'x-waymark-identity': 'forged' },
    });
    const [seen] = stand.decisions.seen;
    expect(seen).toMatchObject({ method: 'GET', url: `/v1/decisions/${id.toUpperCase()}`, body: '' });
    expect(seen!.headers).not.toHaveProperty('authorization');
    for (const name of ['if-none-match', 'prefer', 'range']) expect(seen!.headers).not.toHaveProperty(name);
    const identity = JSON.parse(
      Buffer.from(String(seen!.headers['x-waymark-identity']).split('.')[1]!, 'base64url').toString(),
    );
    expect(identity.principal).toMatchObject({ type: 'api_key', via: 'mcp' });
    const { structuredContent, content } = body.result;
    expect(structuredContent.decision).toEqual({ id, title: 'hidden \\u{e0041}\\u{202e} text' });
    // A person sees what the model sees: hidden characters are escaped.
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    expect(structuredContent.note).toContain('not instructions');
  });

  it('does not wait for a service whose answer is too large, broken off or no longer wanted', async () => {
    const id = crypto.randomUUID();
    const read = () => post(stand, call('get_decision', { id }), { key });
    stand.decisions.respond = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ title: 'x'.repeat(limits.mcpResponseBytes) }));
    };
    expect((await read()).body.result.structuredContent.error).toBe('PAYLOAD_TOO_LARGE');
    stand.decisions.respond = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"title":', () => response.destroy());
    };
    expect((await read()).body.result.structuredContent.error).toBe('SERVICE_UNAVAILABLE');
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    stand.decisions.respond = (_, response) => {
      arrived.resolve();
      response.once('close', gone.resolve);
    };
    const leaving = new AbortController();
    const waiting = fetch(`${stand.url}/mcp`, {
      method: 'POST',
      headers: { accept: ACCEPT, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(call('get_decision', { id })),
      signal: leaving.signal,
    }).catch(() => undefined);
    await arrived.promise;
    leaving.abort();
    await waiting;
    await gone.promise;
  });
});

describe('many messages of one caller', () => {
  it('leave room for others, and get 429 beyond three eighths of what the gateway handles', async () => {
    await using stand = await startStand({ env: { LIMIT_SCALE: '100' } });
    const held: ServerResponse[] = [];
    const isFull = Promise.withResolvers<void>();
    stand.decisions.respond = (_, response) => {
      if (held.push(response) === 12) isFull.resolve();
    };
    const greedy = stand.accounts.createKey();
    const read = (key: string) => post(stand, call('get_decision', { id: crypto.randomUUID() }), { key });
    const waiting = Array.from({ length: 12 }, () => read(greedy.key));
    await isFull.promise;
    const refused = await read(greedy.key);
    expect(refused).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED', reason: 'concurrency' } });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await post(stand, list, stand.accounts.createKey())).status).toBe(200);
    for (const response of held) response.setHeader('content-type', 'application/json').end('{}');
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    expect((await post(stand, list, greedy)).status).toBe(200);
  });
});

describe('the limits of MCP', () => {
  const RATE_LIMITS = JSON.stringify({ key: { business: { read: 6, mutation: 2 } } });
  const stand = useStand({ env: { RATE_LIMITS, RATE_WINDOW_SECONDS: '3600', MCP_WRITES: 'true' } });
  const left = ({ headers }: Answer) => headers['x-ratelimit-remaining'];

  /** Repeats `work` with another key until its answers fall into one window. */
  async function inOneWindow(work: (key: string) => Promise<Answer[]>): Promise<Answer[]> {
    for (;;) {
      stand.decisions.seen = [];
      const answers = await work(stand.accounts.createKey().key);
      const ends = new Set(answers.map(({ headers }) => headers['x-ratelimit-reset']));
      if (ends.size === 1) return answers;
    }
  }

  it('are charged one read for a request without operations, however it ends', async () => {
    const answers = await inOneWindow(async (key) => [
      await post(stand, list, { key }),
      await post(stand, call('nonsense'), { key }),
      await post(stand, call('get_decision', { id: 1 }), { key }),
      await post(stand, [list], { key }),
      await post(stand, undefined, { key, method: 'GET' }),
      await post(stand, { jsonrpc: '2.0', method: 'notifications/initialized' }, { key }),
      await post(stand, list, { key }),
    ]);
    expect(answers.map(left)).toEqual(['5', '4', '3', '2', '1', '0', '0']);
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED' } });
  });

  it('are charged the operations of a tool in their buckets, and the request itself nothing', async () => {
    const id = crypto.randomUUID();
    const answers = await inOneWindow(async (key) => {
      const read = () => post(stand, call('get_decision', { id }), { key });
      const write = () => post(stand, call('log_decision', { title: 'x' }), { key });
      const sent = [await read(), await write(), await write(), await write(), await read()];
      // One search: this gateway has no such service, and the operation is charged before that shows.
      sent.push(await post(stand, call('find_governing_decision', { question: 'colour' }), { key }));
      return [...sent, await read()];
    });
    expect(answers.map(left)).toEqual(['5', '1', '0', '0', '4', '3', '2']);
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200));
    const refused = answers.map(({ body }) => body.result.structuredContent.error);
    const unavailable = 'SERVICE_UNAVAILABLE';
    expect(refused).toEqual([...Array(3), 'RATE_LIMITED', undefined, unavailable, undefined]);
    const { structuredContent } = answers[3]!.body.result;
    expect(structuredContent).toMatchObject({ reason: 'rate_limit', message: expect.any(String) });
    expect(structuredContent.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(stand.decisions.seen.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  it('are those of the address without valid credentials', async () => {
    const answer = await post(stand, list);
    expect(answer.headers['ratelimit-policy']).toContain('"address"');
  });
});

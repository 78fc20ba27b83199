import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGateway } from '@waymark/gateway';
import type { RunningService } from '@waymark/service-kit/process';
import { type Answer, httpCall, type Owner, type Stack } from '@waymark/testing';
import { startProduct } from './support/product.ts';

let product: Stack;
let mine: Owner & { key: string };
/** A gateway of the same product that cannot reach search. */
let cutOff: RunningService;
beforeAll(async () => {
  product = await startProduct();
  mine = await product.workspace();
  const away = { SEARCH_URL: 'http://127.0.0.1:1', PORT: '0', ADMIN_PORT: '0' };
  cutOff = await startGateway({ ...product.env, ...away });
});
afterAll(async () => {
  await cutOff.stop();
  await product.stop();
});

const get = (path: string, query?: Record<string, string>) =>
  product.call('GET', path, { key: mine.key, ...(query && { query }) });
const list = (workspaceId: string, credentials: { key?: string; headers?: Record<string, string> }) =>
  product.call('GET', '/decisions', { ...credentials, query: { workspaceId } });
const unknown = crypto.randomUUID();

type Case = [name: string, status: number, error: string | undefined, send: () => Promise<Answer>];

const cases: Case[] = [
  ['an answer', 200, undefined, () => get('/decisions')],
  ['whoami', 200, undefined, () => get('/whoami')],
  ['openapi.json', 200, undefined, () => product.call('GET', '/openapi.json')],
  ['the changelog', 200, undefined, () => product.call('GET', '/changelog')],
  ['a bad request', 400, 'VALIDATION_ERROR', () => get('/decisions', { limit: 'x' })],
  ['no credentials', 401, 'UNAUTHORIZED', () => list(mine.workspaceId, {})],
  ['another workspace', 403, 'WORKSPACE_MISMATCH', () => get('/decisions', { workspaceId: unknown })],
  ['an unknown id', 404, 'NOT_FOUND', () => get(`/decisions/${unknown}`)],
  ['an unknown path', 404, 'NOT_FOUND', () => get('/nothing-here')],
  ['a path outside v1', 404, 'NOT_FOUND', () => httpCall(product.url, 'GET', '/nowhere')],
  [
    'a wrong method',
    405,
    'METHOD_NOT_ALLOWED',
    () => product.call('PUT', '/decisions', { key: mine.key, body: {} }),
  ],
  ['an unavailable service', 503, 'SERVICE_UNAVAILABLE', () => searchCutOff()],
];

const searchCutOff = () =>
  httpCall(cutOff.url, 'GET', '/v1/search', {
    query: { workspaceId: mine.workspaceId, q: 'x' },
    headers: { authorization: `Bearer ${mine.key}` },
  });

describe.each(cases)('%s (%i)', (_, status, error, send) => {
  it('carries its code, the request id, the version and the rate-limit headers', async () => {
    const askedAtMs = Date.now();
    const { status: got, body, headers } = await send();
    const answeredAtMs = Date.now();
    expect([got, body?.error]).toEqual([status, error]);
    expect(headers['x-request-id']).toMatch(/^[\w.:-]{8,128}$/);
    expect(headers['x-api-version']).toBe('v1');
    expect(Number(headers['x-ratelimit-limit'])).toBeGreaterThan(0);
    expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThanOrEqual(0);
    // The end of the window in which the request was counted, however long its answer took.
    const resetAtMs = Number(headers['x-ratelimit-reset']) * 1_000;
    expect(resetAtMs).toBeGreaterThan(askedAtMs);
    expect(resetAtMs).toBeLessThanOrEqual(answeredAtMs + 60_000);
    expect(headers['ratelimit']).toBeDefined();
    expect(headers['ratelimit-policy']).toBeDefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });
});

describe('X-Request-Id', () => {
  it('is kept if it is well-formed, and replaced otherwise', async () => {
    const sentWith = async (id: string) =>
      (await product.call('GET', '/whoami', { key: mine.key, headers: { 'X-Request-Id': id } })).headers;
    expect((await sentWith('my-request-0001'))['x-request-id']).toBe('my-request-0001');
    expect((await sentWith('no spaces, please'))['x-request-id']).not.toContain(' ');
  });

  it('is the requestId of an error body', async () => {
    const answer = await get('/decisions', { limit: 'x' });
    expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
  });
});

describe('authenticated answers', () => {
  it('may not be stored by caches', async () => {
    const answer = await get('/whoami');
    expect(answer.headers['cache-control']).toContain('no-store');
  });
});

describe('401 UNAUTHORIZED', () => {
  it('for another scheme', async () => {
    const answer = await list(mine.workspaceId, { headers: { authorization: 'Basic dXNlcjpwYXNz' } });
    expect(answer.status).toBe(401);
  });

  it('for two different keys in one request', async () => {
    const { key } = await product.workspace();
    const answer = await list(mine.workspaceId, { key: mine.key, headers: { 'X-Api-Key': key } });
    expect(answer.status).toBe(401);
  });

  it('for a revoked key, immediately', async () => {
    const owner = await product.workspace();
    expect((await list(owner.workspaceId, owner)).status).toBe(200);
    const keys = await product.call('GET', '/api-keys', {
      cookie: owner.cookie,
      query: { workspaceId: owner.workspaceId },
    });
    await product.call('DELETE', `/api-keys/${keys.body.data[0].id}`, { cookie: owner.cookie });
    expect((await list(owner.workspaceId, { key: owner.key })).status).toBe(401);
  });

  it('for a key in the URL', async () => {
    const answer = await product.call('GET', `/whoami?api_key=${mine.key}`);
    expect(answer.status).toBe(401);
  });
});

describe('402 PLAN_GATE', () => {
  it('for the keys of a workspace below the Business plan', async () => {
    const owner = await product.workspace();
    await product.call('PUT', `/workspaces/${owner.workspaceId}/plan`, {
      cookie: owner.cookie,
      body: { plan: 'free' },
    });
    const answer = await list(owner.workspaceId, { key: owner.key });
    expect([answer.status, answer.body.error]).toEqual([402, 'PLAN_GATE']);
  });
});

describe('405 METHOD_NOT_ALLOWED', () => {
  it('names the allowed methods', async () => {
    const answer = await product.call('PUT', '/decisions', { key: mine.key, body: {} });
    expect(answer.headers['allow']).toBe('GET, POST');
  });
});

describe('bodies', () => {
  const post = (input: object) =>
    product.call('POST', '/decisions', { key: mine.key, query: { workspaceId: mine.workspaceId }, ...input });

  it('413 PAYLOAD_TOO_LARGE over 1 MiB', async () => {
    const answer = await post({ body: { title: 'x', description: 'y'.repeat(1_100_000) } });
    expect([answer.status, answer.body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('415 UNSUPPORTED_MEDIA_TYPE for any body that is not JSON', async () => {
    const answer = await post({
      rawBody: 'title=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.status, answer.body.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const packed = await post({ body: { title: 'x' }, headers: { 'content-encoding': 'gzip' } });
    expect([packed.status, packed.body.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it.each([
    ['truncated JSON', '{"title": "x'],
    ['a JSON bomb', '['.repeat(100_000)],
    ['text that is not JSON', 'title'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['null', 'null'],
    ['a prototype', '{"title":"x","__proto__":{"polluted":true}}'],
    ['an empty body', ''],
  ])('400 VALIDATION_ERROR for %s', async (_, rawBody) => {
    const answer = await post({ rawBody });
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('429 RATE_LIMITED', () => {
  it('after the limit, with Retry-After', async () => {
    const limited = await startProduct({ LIMIT_SCALE: '0.1' });
    try {
      const { key } = await limited.workspace();
      const answers = [];
      for (let i = 0; i < 24; i += 1) answers.push(await limited.call('GET', '/whoami', { key }));
      const refused = answers.find((answer) => answer.status === 429);
      expect(refused?.body.error).toBe('RATE_LIMITED');
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(refused?.headers['x-ratelimit-remaining']).toBe('0');
    } finally {
      await limited.stop();
    }
  });
});

describe('503', () => {
  it('DATABASE_NOT_CONFIGURED when a service has no database', async () => {
    const bare = await startProduct({ MONGODB_URL: '' });
    try {
      const answer = await bare.call('POST', '/auth/sign-in', {
        body: { email: 'a@example.com', password: 'x' },
      });
      expect([answer.status, answer.body.error]).toEqual([503, 'DATABASE_NOT_CONFIGURED']);
    } finally {
      await bare.stop();
    }
  });

  it('SERVICE_UNAVAILABLE has Retry-After', async () => {
    const answer = await searchCutOff();
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGateway } from '@waymark/gateway';
import type { RunningService } from '@waymark/service-kit/process';
import { type Answer, httpCall, type Stack } from '@waymark/testing';
import { startProduct } from './support/product.ts';

let product: Stack;
let key: string;
let workspaceId: string;
/** A gateway of the same product that cannot reach search. */
let cutOff: RunningService;
beforeAll(async () => {
  product = await startProduct();
  ({ key, workspaceId } = await product.workspace());
  const away = { SEARCH_URL: 'http://127.0.0.1:1', PORT: '0', ADMIN_PORT: '0' };
  cutOff = await startGateway({ ...product.env, ...away });
});
afterAll(async () => {
  await cutOff.stop();
  await product.stop();
});

type Case = [name: string, status: number, send: () => Promise<Answer>];

const cases: Case[] = [
  ['an answer', 200, () => product.call('GET', '/decisions', { key, query: { workspaceId } })],
  ['whoami', 200, () => product.call('GET', '/whoami', { key })],
  ['openapi.json', 200, () => product.call('GET', '/openapi.json')],
  ['the changelog', 200, () => product.call('GET', '/changelog')],
  ['a bad request', 400, () => product.call('GET', '/decisions', { key, query: { limit: 'x' } })],
  ['no credentials', 401, () => product.call('GET', '/decisions', { query: { workspaceId } })],
  [
    'another workspace',
    403,
    () => product.call('GET', '/decisions', { key, query: { workspaceId: crypto.randomUUID() } }),
  ],
  [
    'an unknown id',
    404,
    () => product.call('GET', `/decisions/${crypto.randomUUID()}`, { key, query: { workspaceId } }),
  ],
  ['an unknown path', 404, () => product.call('GET', '/nothing-here', { key })],
  ['a path outside v1', 404, () => httpCall(product.url, 'GET', '/nowhere')],
  ['a wrong method', 405, () => product.call('PUT', '/decisions', { key, body: {} })],
  [
    'an unavailable service',
    503,
    () =>
      httpCall(cutOff.url, 'GET', '/v1/search', {
        query: { workspaceId, q: 'x' },
        headers: { authorization: `Bearer ${key}` },
      }),
  ],
];

describe.each(cases)('%s (%i)', (_, status, send) => {
  it('carries the request id, the version and the rate-limit headers', async () => {
    const askedAtMs = Date.now();
    const { status: got, headers } = await send();
    const answeredAtMs = Date.now();
    expect(got).toBe(status);
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
    const mine = await product.call('GET', '/whoami', {
      key,
      headers: { 'X-Request-Id': 'my-request-0001' },
    });
    expect(mine.headers['x-request-id']).toBe('my-request-0001');
    const odd = await product.call('GET', '/whoami', {
      key,
      headers: { 'X-Request-Id': 'no spaces, please' },
    });
    expect(odd.headers['x-request-id']).not.toContain(' ');
  });

  it('is the requestId of an error body', async () => {
    const answer = await product.call('GET', '/decisions', { key, query: { limit: 'x' } });
    expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
  });
});

describe('authenticated answers', () => {
  it('may not be stored by caches', async () => {
    const answer = await product.call('GET', '/whoami', { key });
    expect(answer.headers['cache-control']).toContain('no-store');
  });
});

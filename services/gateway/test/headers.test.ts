import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import type { Answer } from '@waymark/testing';
import { startStand, useStand } from './stand.ts';
import { answerEmpty } from './upstream.ts';

const stand = useStand({
  env: { LIMIT_SCALE: '100', CORS_ORIGINS: 'https://console.example', PUBLIC_URL: 'https://waymark.test' },
});
let key: string;
let query: { workspaceId: string };
beforeAll(() => {
  const made = stand.accounts.createKey();
  key = made.key;
  query = { workspaceId: made.principal.workspace_id };
});

async function preflight() {
  return stand.call('OPTIONS', '/decisions', {
    headers: { origin: 'https://console.example', 'access-control-request-method': 'POST' },
  });
}

async function brokenService() {
  stand.decisions.respond = (_, response) => response.destroy();
  const answer = await stand.call('POST', '/quality', { key, query, body: {} });
  stand.decisions.respond = answerEmpty;
  return answer;
}

const cases: [name: string, status: number, tier: string, send: () => Promise<Answer>][] = [
  ['a proxied answer', 200, 'key', () => stand.call('GET', '/decisions', { key, query })],
  ['whoami', 200, 'key', () => stand.call('GET', '/whoami', { key })],
  ['openapi.json', 200, 'address', () => stand.call('GET', '/openapi.json')],
  ['a preflight', 204, 'address', preflight],
  ['a malformed path', 400, 'address', () => stand.call('GET', '/%zz')],
  ['a bad parameter', 400, 'key', () => stand.call('GET', '/decisions/1', { key, query })],
  ['no credentials', 401, 'address', () => stand.call('GET', '/whoami')],
  [
    'a plan gate',
    402,
    'key',
    () => stand.call('GET', '/whoami', { key: stand.accounts.createKey({ plan: 'pro' }).key }),
  ],
  [
    'another workspace',
    403,
    'key',
    () => stand.call('GET', '/decisions', { key, query: { workspaceId: newId() } }),
  ],
  ['an unknown path', 404, 'address', () => stand.call('GET', '/nowhere')],
  ['an unknown path with a key', 404, 'key', () => stand.call('GET', '/nowhere', { key })],
  ['a wrong method', 405, 'address', () => stand.call('PUT', '/decisions')],
  [
    'a body too large',
    413,
    'key',
    () => stand.call('POST', '/quality', { key, query, rawBody: 'x'.repeat(1_100_000) }),
  ],
  ['a service that is not there', 503, 'key', () => stand.call('GET', `/threads/${newId()}`, { key, query })],
  ['a service that breaks off', 503, 'key', brokenService],
];

describe.each(cases)('%s (%i)', (_, status, tier, send) => {
  it('carries the request id, the version and the rate limits, and forbids caching', async () => {
    const askedAtMs = Date.now();
    const answer = await send();
    const answeredAtMs = Date.now();
    const { headers } = answer;
    expect([answer.status, answer.body?.requestId ?? headers['x-request-id']]).toEqual([
      status,
      headers['x-request-id'],
    ]);
    expect(headers['x-request-id']).toMatch(/^[\w.:-]{8,128}$/);
    expect(headers['x-api-version']).toBe('v1');
    expect(headers['ratelimit-policy']).toContain(`"${tier}";q=`);
    expect(headers['ratelimit']).toContain(`"${tier}";r=${headers['x-ratelimit-remaining']};t=`);
    const limit = Number(headers['x-ratelimit-limit']);
    expect(Number(headers['x-ratelimit-remaining'])).toBeLessThanOrEqual(limit);
    // The window in which the request arrived ends at this time, however late the answer is.
    const resetAtMs = Number(headers['x-ratelimit-reset']) * 1_000;
    expect(resetAtMs).toBeGreaterThan(askedAtMs);
    expect(resetAtMs).toBeLessThanOrEqual(answeredAtMs + 60_000);
    expect(headers['cache-control']).toMatch(/^no-(store|cache)$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers).not.toHaveProperty('x-powered-by');
    if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });
});

it('a path of no operation says how paths look', async () => {
  const paths = ['/decisions/', '/v1/decisions'];
  const answers = await Promise.all(paths.map((path) => stand.call('GET', path, { key })));
  for (const { body } of answers) {
    expect([body.error, body.message]).toEqual(['NOT_FOUND', expect.stringContaining('no slash at the end')]);
  }
});

describe('Strict-Transport-Security', () => {
  it('is absent where clients connect without TLS', async () => {
    await using plain = await startStand();
    const { headers } = await plain.call('GET', '/whoami');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });
});

describe('X-Request-Id', () => {
  it('is the client’s own when it is well-formed, else a new one', async () => {
    const idFor = async (id: string) =>
      (await stand.call('GET', '/whoami', { key, headers: { 'X-Request-Id': id } })).headers['x-request-id'];
    expect(await idFor('mine:2026-11.21_a')).toBe('mine:2026-11.21_a');
    for (const odd of ['short', 'with space', 'x'.repeat(129), '<script>alert(1)</script>']) {
      expect(await idFor(odd)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

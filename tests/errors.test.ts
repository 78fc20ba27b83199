import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mintApiKey } from '@waymark/contracts';
import { startGateway } from '@waymark/gateway';
import { httpCall, type Owner, type Stack } from '@waymark/testing';
import { startProduct } from './support/product.ts';

let product: Stack;
let mine: Owner & { key: string };
let theirs: Owner & { key: string };
beforeAll(async () => {
  product = await startProduct();
  mine = await product.workspace();
  theirs = await product.workspace();
});
afterAll(() => product.stop());

const list = (
  workspaceId: string,
  credentials: { key?: string; cookie?: string; headers?: Record<string, string> },
) => product.call('GET', '/decisions', { ...credentials, query: { workspaceId } });

describe('401 UNAUTHORIZED', () => {
  it.each([
    ['no key', {}],
    ['a malformed key', { key: 'not-a-key' }],
    ['a mistyped key', { key: `wmk_${'A'.repeat(43)}` }],
    ['an unknown well-formed key', { key: mintApiKey() }],
    ['another scheme', { headers: { authorization: 'Basic dXNlcjpwYXNz' } }],
    ['a stale cookie', { cookie: 'waymark_session=gone' }],
  ])('for %s', async (_, credentials) => {
    const answer = await list(mine.workspaceId, credentials);
    expect([answer.status, answer.body.error]).toEqual([401, 'UNAUTHORIZED']);
  });

  it('for two different keys in one request', async () => {
    const answer = await list(mine.workspaceId, { key: mine.key, headers: { 'X-Api-Key': theirs.key } });
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

describe('403', () => {
  it('FORBIDDEN for a session of a user who is not a member', async () => {
    const answer = await list(theirs.workspaceId, { cookie: mine.cookie });
    expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
  });

  it('WORKSPACE_MISMATCH for a key of another workspace, also for a record id', async () => {
    const created = await product.call('POST', '/decisions', {
      key: theirs.key,
      query: { workspaceId: theirs.workspaceId },
      body: { title: 'Theirs' },
    });
    expect((await list(theirs.workspaceId, { key: mine.key })).body.error).toBe('WORKSPACE_MISMATCH');
    const path = `/decisions/${created.body.id}`;
    for (const workspaceId of [theirs.workspaceId, mine.workspaceId]) {
      const answer = await product.call('GET', path, { key: mine.key, query: { workspaceId } });
      expect([answer.status, answer.body.error]).toEqual([403, 'WORKSPACE_MISMATCH']);
      expect(answer.text).not.toContain('Theirs');
    }
  });

  it('INSUFFICIENT_SCOPE with the required scope', async () => {
    const readKey = await product.createKey(mine, ['read']);
    const answer = await product.call('POST', '/decisions', {
      key: readKey,
      query: { workspaceId: mine.workspaceId },
      body: { title: 'x' },
    });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ error: 'INSUFFICIENT_SCOPE', requiredScope: 'write' });
  });

  it('FORBIDDEN for a key in the settings, and for a foreign Origin', async () => {
    const settings = await product.call('GET', '/members', {
      key: mine.key,
      query: { workspaceId: mine.workspaceId },
    });
    expect(settings.body.error).toBe('FORBIDDEN');
    const foreign = await product.call('POST', '/auth/sign-out', {
      cookie: mine.cookie,
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.body.error).toBe('FORBIDDEN');
  });
});

describe('404 and 405', () => {
  it('NOT_FOUND for an unknown id', async () => {
    const answer = await product.call('GET', `/decisions/${crypto.randomUUID()}`, {
      key: mine.key,
      query: { workspaceId: mine.workspaceId },
    });
    expect([answer.status, answer.body.error]).toEqual([404, 'NOT_FOUND']);
  });

  it('METHOD_NOT_ALLOWED with the allowed methods', async () => {
    const answer = await product.call('PUT', '/decisions', { key: mine.key, body: {} });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, POST']);
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

  it('422 IDEMPOTENCY_MISMATCH for the same Idempotency-Key with another body, and a replay for the same body', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await post({ headers, body: { title: 'once' } });
    const again = await post({ headers, body: { title: 'once' } });
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = await post({ headers, body: { title: 'twice' } });
    expect([other.status, other.body.error]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
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

  it('SERVICE_UNAVAILABLE with Retry-After when a service is unavailable', async () => {
    const away = { SEARCH_URL: 'http://127.0.0.1:1', PORT: '0', ADMIN_PORT: '0' };
    const cutOff = await startGateway({ ...product.env, ...away });
    try {
      const answer = await httpCall(cutOff.url, 'GET', '/v1/search', {
        query: { workspaceId: mine.workspaceId, q: 'x' },
        headers: { authorization: `Bearer ${mine.key}` },
      });
      expect([answer.status, answer.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    } finally {
      await cutOff.stop();
    }
  });
});

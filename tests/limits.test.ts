import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '@waymark/testing';
import { startProduct } from './support/product.ts';

describe('X-RateLimit headers', () => {
  let product: Stack;
  beforeAll(async () => {
    product = await startProduct({ LIMIT_SCALE: '1', REDIS_TIMEOUT_MS: '1000' });
  });
  afterAll(() => product.stop());

  it('report separate limits for reads, exports and mutations, by plan', async () => {
    const owner = await product.workspace();
    const query = { workspaceId: owner.workspaceId };
    const limitOf = async (method: string, path: string, body?: object) => {
      const answer = await product.call(method, path, { key: owner.key, query, ...(body && { body }) });
      return answer.headers['x-ratelimit-limit'];
    };
    expect(await limitOf('GET', '/decisions')).toBe('100');
    expect(await limitOf('GET', '/audit-log')).toBe('100');
    expect(await limitOf('GET', '/decisions/export-csv')).toBe('10');
    expect(await limitOf('POST', '/decisions', { title: 'x' })).toBe('30');
    await product.call('PUT', `/workspaces/${owner.workspaceId}/plan`, {
      cookie: owner.cookie,
      body: { plan: 'enterprise' },
    });
    expect(await limitOf('GET', '/decisions')).toBe('300');
  });
});

import { describe, expect, it } from '@jest/globals';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

describe('GET /whoami', () => {
  it('describes a key, in either header', async () => {
    const owner = await product.signUp();
    const key = await product.createKey(owner, ['read']);
    const bearer = await product.call('GET', '/whoami', { key });
    expect(bearer.status).toBe(200);
    expect(bearer.body).toEqual({
      authType: 'apiKey',
      userId: owner.userId,
      workspaceId: owner.workspaceId,
      keyId: expect.any(String),
      keyPrefix: key.slice(0, 10),
      keyName: 'test key',
      scopes: ['read'],
    });
    const header = await product.call('GET', '/whoami', { headers: { 'X-Api-Key': key } });
    expect(header.body).toEqual(bearer.body);
  });

  it('describes a session, with the scopes of its role in the named workspace', async () => {
    const { cookie, userId, workspaceId } = await product.signUp();
    const answer = await product.call('GET', '/whoami', { cookie, query: { workspaceId } });
    expect(answer.body).toEqual({
      authType: 'session',
      userId,
      workspaceId,
      keyId: null,
      keyPrefix: null,
      keyName: null,
      scopes: ['read', 'write'],
    });
  });

  it('requires no scope', async () => {
    const key = await product.createKey(await product.signUp(), ['write']);
    expect((await product.call('GET', '/whoami', { key })).status).toBe(200);
  });
});

import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operationList } from '@waymark/contracts';
import { createLogger } from '@waymark/service-kit';
import { httpCall, type Owner, type Stack } from '@waymark/testing';
import { startProduct } from './product.ts';

/** Secrets travel through every operation and error at the most talkative level; no log line may hold one. */
const lines: string[] = [];
const log = createLogger(
  'test',
  'trace',
  new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  }),
);
const CANARY = 'canary-d41d8cd98f00b204';

let product: Stack;
let owner: Owner & { key: string };
beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'trace' }, { log });
  owner = await product.workspace();
});
afterAll(() => product.stop());

describe('logs', () => {
  it('hold no key, cookie, password or token, whatever the operation answers', async () => {
    const secrets = [owner.key, owner.cookie.split('=')[1]!, owner.password, CANARY];
    for (const operation of operationList) {
      const path = operation.path.replaceAll(/\{\w+\}/g, crypto.randomUUID());
      const body = {
        password: CANARY,
        currentPassword: CANARY,
        newPassword: CANARY,
        secret: CANARY,
        email: 'x@example.com',
      };
      for (const credentials of [{ key: owner.key }, { cookie: owner.cookie }, { key: CANARY }, {}]) {
        if (operation.id === 'signOut' || operation.id === 'deleteWorkspace') continue;
        await product.call(operation.method, `${path}?token=${CANARY}&api_key=${owner.key}`, {
          ...credentials,
          ...(operation.method !== 'GET' && { body }),
          headers: { 'Idempotency-Key': CANARY, 'X-Waymark-Identity': CANARY },
        });
      }
    }
    await product.call('POST', '/auth/sign-in', { body: { email: owner.email, password: owner.password } });
    await product.call('POST', '/auth/sign-in', { body: { email: owner.email, password: CANARY } });
    await httpCall(product.url, 'GET', `/v1/%zz?key=${owner.key}`);
    expect(lines.length).toBeGreaterThan(operationList.length);
    const text = lines.join('');
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
  });
});

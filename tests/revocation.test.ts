import http from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { startGateway } from '@waymark/gateway';
import { httpCall } from '@waymark/testing';
import { startProduct } from './product.ts';

const REVOCATIONS = 100;
const CONNECTIONS = 64;
const DEADLINE_MS = 250;
const POLL_MS = 10;
/** Of each connection between two requests: traffic, not a load test of the machine that the deadline runs on. */
const PAUSE_MS = 30;

describe('a revoked key', () => {
  it(`is refused by two gateways within ${DEADLINE_MS} ms of the answer, ${REVOCATIONS} times under traffic`, async () => {
    const product = await startProduct();
    const second = await startGateway({ ...product.env, PORT: '0', ADMIN_PORT: '0' });
    const urls = [product.url, second.url];
    const agent = new http.Agent({ keepAlive: true, maxSockets: 2 * CONNECTIONS });
    const owner = await product.workspace();
    const whoami = (base: string, key: string) =>
      httpCall(base, 'GET', '/v1/whoami', { agent, headers: { authorization: `Bearer ${key}` } });

    let current = owner.key;
    let traffic = true;
    const load = Array.from({ length: CONNECTIONS }, async (_, i) => {
      // The key that dies is in use all the while, so that look-ups of it are in flight when it dies.
      while (traffic) {
        await whoami(urls[i % 2]!, i % 4 === 0 ? current : owner.key);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    });

    try {
      let slowestMs = 0;
      for (let i = 0; i < REVOCATIONS; i += 1) {
        const created = await product.call('POST', '/api-keys', {
          cookie: owner.cookie,
          body: { workspaceId: owner.workspaceId, name: `doomed ${i}`, scopes: ['read'] },
        });
        const { id, key } = created.body;
        current = key;
        for (const url of urls) expect((await whoami(url, key)).status).toBe(200);
        const revoked = await product.call('DELETE', `/api-keys/${id}`, { cookie: owner.cookie });
        expect(revoked.status).toBe(204);
        const answeredAt = performance.now();
        await Promise.all(
          urls.map(async (url) => {
            for (;;) {
              const askedAt = performance.now();
              const { status } = await whoami(url, key);
              if (status === 401) {
                slowestMs = Math.max(slowestMs, askedAt - answeredAt);
                return;
              }
              if (askedAt - answeredAt > DEADLINE_MS)
                throw new Error(`still valid ${askedAt - answeredAt} ms later`);
              await new Promise((resolve) => setTimeout(resolve, POLL_MS));
            }
          }),
        );
      }
      expect(slowestMs).toBeLessThan(DEADLINE_MS);
    } finally {
      traffic = false;
      await Promise.allSettled(load);
      agent.destroy();
      await second.stop();
      await product.stop();
    }
  }, 120_000);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ProductProcesses, startProductProcesses } from './product-processes.ts';
import { startTraffic } from './steady-traffic.ts';

const REQUESTS_PER_SECOND = 100;
const EXIT_LIMIT_MS = 20_000;
/** Requests that pass before, and after, a process goes. */
const AROUND = 150;

let product: ProductProcesses;
beforeAll(async () => {
  product = await startProductProcesses({ replicas: 2, env: { DRAIN_DELAY_MS: '3000' } });
}, 120_000);
afterAll(() => product.stop(), 60_000);

describe(`SIGTERM to each process under ${REQUESTS_PER_SECOND} requests/s`, () => {
  it('fails no request, and each exits within 20 s with code 0', async () => {
    const query = { workspaceId: product.workspaceId };
    const traffic = startTraffic(product, REQUESTS_PER_SECOND, {
      write: [1, (call, turn) => call('POST', '/decisions', { query, body: { title: `Decision ${turn}` } })],
      list: [1, (call) => call('GET', '/decisions', { query: { ...query, limit: 5 } })],
      audit: [1, (call) => call('GET', '/audit-log', { query: { ...query, limit: 5 } })],
    });
    try {
      await traffic.afterMore(AROUND);
      for (const { service, process } of product.services.processes) {
        const startedAt = performance.now();
        const exit = await process.stop(EXIT_LIMIT_MS);
        expect([service, exit.code]).toEqual([service, 0]);
        expect(performance.now() - startedAt).toBeLessThan(EXIT_LIMIT_MS);
        await traffic.afterMore(AROUND);
        await process.restart();
        await traffic.afterMore(AROUND);
        expect(traffic.failures).toEqual([]);
      }
    } finally {
      await traffic.stop();
    }
    expect(traffic.failures).toEqual([]);
  }, 240_000);
});

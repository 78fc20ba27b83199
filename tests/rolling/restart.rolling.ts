import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storingServices } from '@waymark/contracts';
import { startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { requestsOfEveryService } from '../crash/support/every-service.ts';
import {
  type ProductProcesses,
  roundRobin,
  startProductProcesses,
} from '../crash/support/product-processes.ts';
import { startTraffic } from '../crash/support/steady-traffic.ts';

const REQUESTS_PER_SECOND = 100;
const EXIT_LIMIT_MS = 20_000;
/** Requests that must be sent before and after a process stops. */
const AROUND = 50;

let product: ProductProcesses;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const env = { DRAIN_DELAY_MS: '2500' };
  product = await startProductProcesses({ only: storingServices, replicas: 2, env });
});
afterAll(async () => {
  await product?.stop();
  await receiver?.stop();
});

describe(`SIGTERM to each process of every service under ${REQUESTS_PER_SECOND} requests/s`, () => {
  it('fails no request, and each process exits within 20 s with code 0', async () => {
    const kinds = await requestsOfEveryService(product, receiver.url);
    const traffic = await startTraffic(product, REQUESTS_PER_SECOND, kinds);
    try {
      await traffic.afterMore(AROUND);
      let starting = Promise.resolve();
      for (const { service, process } of roundRobin(product)) {
        const startedAt = performance.now();
        const exiting = process.stop(EXIT_LIMIT_MS).then(({ code }) => ({
          code,
          isInTime: performance.now() - startedAt < EXIT_LIMIT_MS,
        }));
        // Meanwhile the previous process restarts.
        const [exit] = await Promise.all([exiting, starting]);
        expect([service, exit]).toEqual([service, { code: 0, isInTime: true }]);
        await traffic.afterMore(AROUND);
        expect([service, traffic.failures]).toEqual([service, []]);
        starting = process.restart();
      }
      await starting;
      await traffic.afterMore(AROUND);
    } finally {
      await traffic.stop();
    }
    expect(traffic.failures).toEqual([]);
    expect([...traffic.answered.keys()].sort()).toEqual(Object.keys(kinds).sort());
  }, 420_000);
});

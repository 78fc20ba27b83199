import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { observeNatsSync } from './nats-sync.ts';

/** What /jsz answers. */
let told: string;
const monitoring = createServer((_, response) => response.end(told));
beforeAll(() => once(monitoring.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void monitoring.close());

it.each([
  ['alone and syncs every two minutes', { config: { sync_interval: 120_000_000_000 } }, ['127.0.0.1']],
  ['alone and syncs always', { config: { sync_interval: 120_000_000_000, sync_always: true } }, []],
  ['in a cluster', { config: {}, meta_cluster: { name: 'c', cluster_size: 3 } }, []],
  ['without JetStream', { disabled: true }, []],
])('judges a server that is %s', async (_, answer, expected) => {
  told = JSON.stringify(answer);
  const { port } = monitoring.address() as AddressInfo;
  expect(await observeNatsSync('nats://user:pass@127.0.0.1:4222', port)).toEqual(expected);
});

it('knows nothing without an answer, or with another one', async () => {
  const { port } = monitoring.address() as AddressInfo;
  told = '<html>';
  expect(await observeNatsSync('nats://127.0.0.1:4222', port)).toEqual([]);
  expect(await observeNatsSync('nats://127.0.0.1:4222', 1)).toEqual([]);
  expect(await observeNatsSync('', port)).toEqual([]);
});
